"""Classifiers with scikit-learn's interface: while they learn, and after they have left their learner."""

"""Classifiers in scikit-learn's manner: while they learn, and after they have left their learner."""

"""Groups that no single party controls: a commit-and-reveal beacon, and a committee on secret shares."""

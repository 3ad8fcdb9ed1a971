"""Learning classifiers from people who never hand over a record: randomized reports and one-bit feedback."""

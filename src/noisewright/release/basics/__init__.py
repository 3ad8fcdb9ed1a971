"""The inputs of a release: the pool of records, the worlds drawn from it, and the budget with its meaning.

A *world* is one possible input of the release: a random half of the records of the pool, together with a seed
for the algorithm. *Half* is used only for the subset of records itself.
"""

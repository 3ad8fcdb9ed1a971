"""What a release is about: the pool of records, the worlds drawn from it, the budget and what it means.

One word for one thing: a *world* is a subset of the pool, half of its records, together with a seed for the
algorithm. Sentences for lay readers (cards, error messages) and the statements of theorems call it a half.
"""

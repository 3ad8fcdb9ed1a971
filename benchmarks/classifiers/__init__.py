"""Case studies: how often classifiers keep their answers when sensitive features are randomized.

    python -m benchmarks.classifiers stroke --data FOLDER [--html FILE] [--json]    # FOLDER holds stroke/
    python -m benchmarks.classifiers bank --data FOLDER ...                         # ... bank_churn/
    python -m benchmarks.classifiers mnist --data FOLDER ...                        # ... mnist/
    python -m benchmarks.classifiers all --data FOLDER --html FILE                  # one report of all three
    python -m benchmarks.classifiers.widths              # intervals of black boxes beside plain samples

The curves of figures 6 to 16 of Zheng and Hu, "Quantifying classifier utility under local differential
privacy", computed anew: the number of the published framework, the share of 2,000 simulated reports that
keep the answer, and our certificate, which is never too optimistic.
"""

"""Experiments on learning from randomized data, with the published numbers beside ours.

    python -m benchmarks.learning diabetes --data FOLDER      # FOLDER holds diabetes/: table 1
    python -m benchmarks.learning local --data FOLDER         # LocalClassifier on the same data
    python -m benchmarks.learning tables --data FOLDER        # it, the constant answer, random directions
    python -m benchmarks.learning functional --help           # figure 2
    python -m benchmarks.learning phonemes --data FOLDER      # figure 5; FOLDER holds phoneme/
    python -m benchmarks.learning channels --help             # channels, and linear rules from moments
    python -m benchmarks.learning advice --help               # the advisor against a grid of plans
    python -m benchmarks.learning servers --help              # figure 3
    python -m benchmarks.learning variation --help            # figure A.6
    python -m benchmarks.learning bounds --help               # where theorems 4 and 5 fail

The figures and tables are those of Qin and Bai, "Classification under local differential privacy with model
reversal and model averaging". Repetitions run through joblib, so a cluster takes them over:
``with joblib.parallel_config(backend="dask"): ...``.
"""

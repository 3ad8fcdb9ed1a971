"""Experiments on releasing models and statistics, with the published and the asked figures beside ours.

    python -m benchmarks.release iris --data FOLDER           # accuracies on iris: figures 2 to 4
    python -m benchmarks.release information [--data FOLDER]  # nats measured, for every algorithm
    python -m benchmarks.release speed [--published]          # worlds a second, against the published rule
    python -m benchmarks.release drybean --data FOLDER        # 13,611 records in 1,024 worlds
    python -m benchmarks.release attacks [--data FOLDER]      # figure 11, and whether the attacks have teeth
    python -m benchmarks.release mean --data FOLDER           # table 2: a private mean, PAC and DP
    python -m benchmarks.release components --data FOLDER     # figures 6 and 7: restoration errors of PCA
    python -m benchmarks.release forest [--data FOLDER]       # figures 8 and 9: trees, naive and regularized

FOLDER holds iris/, dry_bean/ and cifar10/. The figures and tables are those of Sridhar, Xiao and Devadas,
"PAC-Private Algorithms" (2024). All releases here are simulations with public chance. The exit status is 1
if a figure that was asked for is missed, and the table says which. Worlds run through joblib, so a cluster
takes them over: ``with joblib.parallel_config(backend="dask"): ...``.
"""

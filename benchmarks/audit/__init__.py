"""Experiments on auditing, what was asked for beside what is measured.

    python -m benchmarks.audit accuracy     # Laplace and Gaussian: error of the curve, distance of the band
    python -m benchmarks.audit cost         # one score for all ε against a classifier for every ε, CPU time
    python -m benchmarks.audit finite       # sparse vectors, exponential mechanism, counts without noise
    python -m benchmarks.audit dimensions   # 50-dimensional Gaussian and 20-dimensional Laplace noise
    python -m benchmarks.audit gallery      # every exhibit: convicted or not, and with how many runs
    python -m benchmarks.audit sniper       # lower bounds on ε beside those published for DP-Sniper
    python -m benchmarks.audit floating     # what the digits of doubles give away, in four libraries
    python -m benchmarks.audit relative     # who is worst off in a database of 1,000 rows
    python -m benchmarks.audit validity     # a thousand audits of known mechanisms; two defects of others
    python -m benchmarks.audit monitor      # runs until a claim falls, watched and at a fixed size

``accuracy``, ``cost`` and ``finite`` repeat experiments of Lu et al., "Eureka" (2024); ``sniper`` those of
Bichsel et al., "DP-Sniper" (2021). Seeds are fixed. "Runs" are runs of the mechanism over both inputs unless
a line says otherwise. The exit status is 1 if a figure that was asked for is missed; the table says which.
"""

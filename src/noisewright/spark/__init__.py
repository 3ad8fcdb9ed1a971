"""Reports on a Spark cluster: drawn once, counted where they lie, and estimated as on one machine.

    from noisewright import Interval, spark
    from noisewright.mechanisms import SW

    hours = {"hours": SW(Interval(0, 24), 2.0)}
    private = spark.perturb(people, hours, path="s3a://bucket/reports", keep=["region"])
    spark.estimate(private, by="region")

Spark computes a frame whenever somebody looks at it, and repeats tasks that fail or are slow. A repeated draw
gives the same person fresh noise, and averaging undoes the privacy. So :func:`perturb` draws and writes in
one job, each part once whatever Spark repeats (``io/report_folder.py``), and returns a frame that reads what
was written. Python workers write by Arrow, so they need this package and access to the folder; a path
without a scheme is a folder of this machine, or of a disk that all machines share.
"""

from noisewright.spark.frames import estimate, perturb, perturb_routes, read, tally

__all__ = ["estimate", "perturb", "perturb_routes", "read", "tally"]

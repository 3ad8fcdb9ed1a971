"""Reports on a Dask cluster: drawn once, counted where they lie, and estimated as on one machine.

    from noisewright import Interval, dask
    from noisewright.mechanisms import SW

    hours = {"hours": SW(Interval(0, 24), 2.0)}
    private = dask.perturb(people, hours, path="/shared/reports", keep=["region"])
    dask.tally(private, by="region").estimate()

Dask computes a frame whenever somebody looks at it, and computes again what a lost worker held. A repeated
draw gives the same person fresh noise, and averaging undoes the privacy. So :func:`perturb` draws and writes
at once, each part one time whatever Dask repeats (``io/report_folder.py``), and returns a frame that reads
what was written. It runs where Dask runs: on threads, on processes, or on the workers of a client, which then
need this package and access to the folder.

**Frames that may change.** Dask's own random steps fix their seeds when a frame is made, so files and pandas
frames that go through Dask's steps partition by partition have the same rows whenever they are computed. Of
functions of the user, delayed objects, persisted frames, shuffles and joins that is not known. A part of such
a frame is not drawn again once an attempt has begun. If several parts come from the same results, and Dask
loses some of those, a row could move from a part that is drawn to one that is not: the run is refused.
"""

from noisewright.dask.frames import estimate, perturb, perturb_routes, read, tally

__all__ = ["estimate", "perturb", "perturb_routes", "read", "tally"]

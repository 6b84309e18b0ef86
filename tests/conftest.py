"""Settings shared by all tests."""

import os

from hypothesis import settings

# Set before NumPy is loaded: tests run in several processes, each with one thread.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
# Figures need no screen.
os.environ.setdefault("MPLBACKEND", "Agg")

# "ci", the default, tries the same examples in every run; HYPOTHESIS_PROFILE=search seeks new ones.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("search", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

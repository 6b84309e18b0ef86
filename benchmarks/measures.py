"""All measures, in the order of the table: each is given the number of rounds and yields rows."""

from .derivations import derivation_growth, derivations, rechecks
from .iterations import cfr_plus, memory_floor
from .peaks import peak_memory
from .solutions import direct, fast_targets, targets
from .trees import compilation, fast_path, growth, memory, nash_convs

MEASURES = (
    cfr_plus,
    memory_floor,
    nash_convs,
    targets,
    fast_targets,
    direct,
    compilation,
    fast_path,
    growth,
    memory,
    peak_memory,
    derivations,
    rechecks,
    derivation_growth,
)

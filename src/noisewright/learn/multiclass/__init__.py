"""More than two classes from weak rules that know two: one class against the rest, or confusion corrected."""

from noisewright.learn.multiclass.class_rule import ClassRule
from noisewright.learn.multiclass.confusion import confusion_procedure
from noisewright.learn.multiclass.one_vs_rest import one_vs_rest_procedure

__all__ = ["ClassRule", "confusion_procedure", "one_vs_rest_procedure"]

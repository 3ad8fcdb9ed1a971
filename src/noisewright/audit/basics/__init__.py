"""What every part of an audit rests on: outputs, claims, the budget of runs, seeds."""

"""The parts of every prediction: records, the curve of channels, and certificates about them."""

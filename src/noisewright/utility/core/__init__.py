"""What every prediction is made of: records, the curve of channels, and certificates about them."""

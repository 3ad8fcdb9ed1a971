"""Speed as ratios in one run: machines are shared and noisy, so only ratios mean anything."""

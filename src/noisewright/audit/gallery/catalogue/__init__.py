"""The exhibits, by the kind of thing they publish."""

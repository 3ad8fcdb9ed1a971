"""How two devices find each other and talk: frames, sealed channels, TLS, and a relay that knows nothing."""

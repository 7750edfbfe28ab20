"""Built-in profiles: one TOML file each."""

"""Backends: where answers come from."""

"""Auditing."""

"""Submitted documents against the schema of the revision they are submitted with."""

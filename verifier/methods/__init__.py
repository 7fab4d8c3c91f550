"""One module a method of proof; none of them knows a claim by name."""

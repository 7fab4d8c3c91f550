"""The claim language: reads and checks specs, and turns expressions, strategies and rules into the kernel's form."""

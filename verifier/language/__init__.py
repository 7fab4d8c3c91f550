"""The claim language: strict YAML, a model of files, expressions and strategies, and their forms in the kernel."""

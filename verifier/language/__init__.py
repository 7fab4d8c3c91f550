"""Claims as data: strict YAML, a model, expressions and strategies, compiled to the kernel's statements."""

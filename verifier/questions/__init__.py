"""What readings can ask: a folder for each question, which holds all that is known of it outside the kernel."""

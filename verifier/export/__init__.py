"""Evidence in the form that other programs read: SMT-LIB, VeriPB."""

"""Evidence in the form that other programs read: SMT-LIB, VeriPB; and a second opinion on obligations."""

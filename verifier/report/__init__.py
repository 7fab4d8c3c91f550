"""What people and programs read: one module a format. Nothing here decides anything."""

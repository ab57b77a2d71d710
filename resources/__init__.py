"""Style sheets and icons."""

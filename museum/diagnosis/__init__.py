"""From pasted or printed text to what it says."""

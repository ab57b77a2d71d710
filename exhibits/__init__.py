"""The collection: content only, read as data and run only by the lab."""

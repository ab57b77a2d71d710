"""The visitor's own snippets: their values, their files, what they are run with."""

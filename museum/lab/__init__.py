"""The lab: runs snippets in child processes and reports what happened."""

"""The commands of ``xla-museum``, one module for each matter: thin, each calls the core and prints."""

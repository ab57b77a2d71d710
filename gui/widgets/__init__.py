"""Views: they emit requests and show frozen values."""

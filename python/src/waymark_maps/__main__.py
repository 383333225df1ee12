"""``python -m waymark_maps`` runs the waymark program."""

from .program import main

main()

"""``python -m waymark`` runs the waymark program."""

from .program import main

main()

"""`python -m scry` is `scry`."""

from scry.cli import main

if __name__ == "__main__":
    main()

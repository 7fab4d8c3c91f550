"""The report as one self-contained HTML page: it opens from disk, loads nothing, and can be printed and filed.

Templates, style sheets and scripts are files of this package; ``page.py`` puts them together.
"""

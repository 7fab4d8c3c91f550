"""The report as a single HTML page, which opens from disk and loads nothing else; or as a site of many pages.

Templates, style sheets and scripts are files of this package. ``page.py`` and ``site.py`` put them together.
"""

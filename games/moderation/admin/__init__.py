"""The moderators' pages: lists, one page a game, person and report, and actions with a reason.

`games/admin.py` imports the modules that register them.
"""

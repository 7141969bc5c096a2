"""`manage.py maildoctor`: whether everything that mail needs works, and what to do about it.

A check is a function of a CheckContext that returns a Finding; it raises nothing that the network
or a server can cause. Sentences are in the active language.
"""

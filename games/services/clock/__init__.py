"""Changing the clocks of running games, and what players' time depends on."""

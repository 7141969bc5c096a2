"""Time control without a database: every module here computes from its arguments alone."""

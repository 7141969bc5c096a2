"""The API for programs, `/api/v1/`: a door like the pages, to the same services and queries."""

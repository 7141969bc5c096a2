"""Messages by HTTP to the programs of players, as Standard Webhooks describes them."""

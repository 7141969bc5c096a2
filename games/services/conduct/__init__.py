"""How players treat each other: messages, blocks, mutes and reports."""

"""How players treat each other: messages, mutes, blocks, reports."""

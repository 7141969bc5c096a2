"""Execute what people ask for by mail, and answer them.

`dispatch.execute` is the only way in. Each command is executed by the services of the games, as on
the pages (`handlers`), and answered on its own: done, or refused with the reason (`answers`).
"""

"""A small IMAP server for the tests: one folder, and the commands that imap-tools sends."""

import asyncio
import re
import threading
from contextlib import contextmanager


class Folder:
    """The mails of one folder by UID, and which of them are read."""

    def __init__(self, password):
        self.mails = {}
        self.read = set()
        self.password = password
        self.fetched = []
        self.breaks_after = None
        self.slow = 0

    @property
    def unread(self):
        return [uid for uid in self.mails if uid not in self.read]


class _Session:
    def __init__(self, folder, reader, writer):
        self.folder, self.reader, self.writer = folder, reader, writer

    async def run(self):
        self.say("* OK [CAPABILITY IMAP4rev1] ready")
        while line := await self.reader.readline():
            tag, _, command = line.decode().strip().partition(" ")
            word, _, rest = command.partition(" ")
            if word.upper() == "UID":
                word, _, rest = rest.partition(" ")
            await asyncio.sleep(self.folder.slow)
            done = getattr(self, f"do_{word.lower()}")(rest)
            if done is None:
                break
            self.say(f"{tag} {done}")
            await self.writer.drain()
            if word.upper() == "LOGOUT":
                break
        self.writer.close()

    def say(self, line):
        self.writer.write(line.encode() + b"\r\n")

    def do_capability(self, rest):
        self.say("* CAPABILITY IMAP4rev1")
        return "OK done"

    def do_login(self, rest):
        right = rest.split()[-1].strip('"') == self.folder.password
        return "OK done" if right else "NO [AUTHENTICATIONFAILED] no"

    def do_select(self, rest):
        self.say(f"* {len(self.folder.mails)} EXISTS")
        self.say("* OK [UIDVALIDITY 1] here")
        return "OK [READ-WRITE] done" if rest.strip('"') == "INBOX" else "NO no such folder"

    def do_search(self, rest):
        assert "UNSEEN" in rest
        self.say("* SEARCH " + " ".join(map(str, self.folder.unread)))
        return "OK done"

    def do_fetch(self, rest):
        uid = int(rest.split()[0])
        raw = self.folder.mails[uid]
        if "RFC822.SIZE" in rest:
            self.say(f"* {uid} FETCH (UID {uid} RFC822.SIZE {len(raw)})")
            return "OK done"
        assert "BODY.PEEK[]" in rest
        self.folder.fetched.append(uid)
        self.writer.write(b"* %d FETCH (UID %d BODY[] {%d}\r\n%s)\r\n" % (uid, uid, len(raw), raw))
        return "OK done"

    def do_store(self, rest):
        if self.folder.breaks_after == "commit":
            return None  # the connection is lost before the mail is marked as read
        uid = int(rest.split()[0])
        assert re.search(r"\+FLAGS.*\\Seen", rest, re.IGNORECASE)
        self.folder.read.add(uid)
        self.say(f"* {uid} FETCH (UID {uid} FLAGS (\\Seen))")
        return "OK done"

    def do_expunge(self, rest):
        return "OK done"

    def do_logout(self, rest):
        self.say("* BYE")
        return "OK done"


@contextmanager
def serving(folder):
    """Let the folder be read at a port of this machine; the value is the port."""
    started, stop, where = threading.Event(), [], []

    async def one(reader, writer):
        await _Session(folder, reader, writer).run()

    async def run():
        server = await asyncio.start_server(one, "127.0.0.1", 0)
        where.append(server.sockets[0].getsockname()[1])
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        stop.append(lambda: loop.call_soon_threadsafe(ended.set))
        started.set()
        async with server:
            await ended.wait()

    thread = threading.Thread(target=asyncio.run, args=[run()])
    thread.start()
    assert started.wait(60)
    try:
        yield where[0]
    finally:
        stop[0]()
        thread.join()

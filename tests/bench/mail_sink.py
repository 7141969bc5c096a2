"""An SMTP server that takes every mail and keeps none, in a process of its own.

`python -m tests.bench.mail_sink` prints its port and serves until its standard input ends.
"""

import contextlib
import socket
import sys
import threading


def serve(client: socket.socket) -> None:
    """Talk to one client until it hangs up."""
    with client, client.makefile("rb") as lines:
        client.sendall(b"220 sink\r\n")
        for line in lines:
            verb = line[:4].upper()
            if verb == b"DATA":
                client.sendall(b"354 go on\r\n")
                while lines.readline() != b".\r\n":
                    pass
            client.sendall(b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n")


def main() -> None:
    """Listen at a port of this machine."""
    server = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = server.accept()
                threading.Thread(target=serve, args=[client], daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print(server.getsockname()[1], flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()

"""A cable between browsers and a server, which a test can pull out."""

import socket
import threading
from contextlib import suppress

from tests.servers import free_port


class Relay:
    """Passes connections on to a port of this machine; unplugged, it refuses every connection."""

    def __init__(self, port):
        self.port, self.target = free_port(), port
        self.url = f"http://localhost:{self.port}"
        self.listener, self.sockets = None, []

    def plug(self):
        self.listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._listen, args=[self.listener], daemon=True).start()

    def unplug(self):
        for one in [self.listener, *self.sockets]:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self.sockets = []

    def _listen(self, listener):
        with suppress(OSError):  # unplugged
            while True:
                near = listener.accept()[0]
                far = socket.create_connection(("127.0.0.1", self.target))
                self.sockets += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    @staticmethod
    def _pass_on(source, goal):
        with suppress(OSError):  # one of them was closed
            while part := source.recv(65_536):
                goal.sendall(part)
            goal.shutdown(socket.SHUT_WR)

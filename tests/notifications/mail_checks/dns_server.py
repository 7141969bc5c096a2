"""A real small DNS server on the loopback, which knows what it is told."""

import asyncio
import threading
from contextlib import contextmanager

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.resolver
import dns.rrset

from notifications.services.mail_checks.dns_lookups import DnsResolver


class Names(asyncio.DatagramProtocol):
    """Answers from `known`, {(name, type): [record, ...]}; `is_ill`: it says that it cannot."""

    def __init__(self):
        self.known = {}
        self.is_ill = False

    def txt(self, name, *texts):
        """Let a name have these texts, cut in strings of 200 as long ones are."""
        cut = [[text[i : i + 200] for i in range(0, len(text), 200)] for text in texts]
        self.known[name, "TXT"] = [" ".join(f'"{part}"' for part in parts) for parts in cut]

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, address):
        query = dns.message.from_wire(data)
        self.transport.sendto(self.answer(query).to_wire(), address)

    def answer(self, query):
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        (question,) = query.question
        name, kind = str(question.name).rstrip("."), dns.rdatatype.to_text(question.rdtype)
        if self.is_ill:
            response.set_rcode(dns.rcode.SERVFAIL)
        elif records := self.known.get((name, kind)):
            response.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *records))
        elif name not in {known for known, _ in self.known}:
            response.set_rcode(dns.rcode.NXDOMAIN)
        return response


@contextmanager
def answering(names):
    """Let the server answer; the value is a DnsResolver that asks only it."""
    ready, where, stop = threading.Event(), {}, []

    async def run():
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_datagram_endpoint(lambda: names, ("127.0.0.1", 0))
        where["port"] = transport.get_extra_info("sockname")[1]
        stopping = asyncio.Event()
        stop.append(lambda: loop.call_soon_threadsafe(stopping.set))
        ready.set()
        await stopping.wait()
        transport.close()

    thread = threading.Thread(target=asyncio.run, args=[run()])
    thread.start()
    assert ready.wait(60)
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], where["port"]
    try:
        yield DnsResolver(resolver)
    finally:
        stop[0]()
        thread.join()

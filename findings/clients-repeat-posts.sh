#!/usr/bin/env bash
# httplib2 0.32.1 and libcurl (pycurl 7.45.7): a POST on a kept connection that ends without a response
# is sent again by the library, although the server has it: it arrives twice.
#
# RFC 9110 §9.2.2: a client must not repeat a request of a method that is not idempotent by itself,
# unless it knows that the first one was not applied. requests 2.34.2 and httpx 0.28.1 repeat nothing,
# aiohttp 3.14.5 repeats PUT and not POST.
#
# Expected below, of a server that reads the second request of a connection and closes: how often each
# POST and PUT arrives.
# Exits with 1 if that changes. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install \
    requests==2.34.2 httpx==0.28.1 aiohttp==3.14.5 httplib2==0.32.1 pycurl==7.45.7
cat >"$folder/try.py" <<'PYTHON'
import asyncio, io, socket, threading
from importlib.metadata import version

import aiohttp, httplib2, httpx, pycurl, requests

arrived = []


def serve(connection):
    served, buffer = 0, b""
    while True:
        while b"\r\n\r\n" not in buffer:
            piece = connection.recv(65536)
            if not piece:
                return connection.close()
            buffer += piece
        head, _, buffer = buffer.partition(b"\r\n\r\n")
        sizes = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")]
        size = int(sizes[0].split(b":")[1]) if sizes else 0
        while len(buffer) < size:
            buffer += connection.recv(65536)
        buffer, served = buffer[size:], served + 1
        if b" /pay " in head:
            arrived.append(head.split()[0].decode())
            if served > 1:
                return connection.close()
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


def accept(listener):
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, args=(listener,), daemon=True).start()
base = f"http://127.0.0.1:{listener.getsockname()[1]}"


def with_requests(method):
    session = requests.Session()
    session.get(base)
    session.request(method, base + "/pay", data=b"a=1")


def with_httpx(method):
    client = httpx.Client()
    client.get(base)
    client.request(method, base + "/pay", content=b"a=1")


def with_aiohttp(method):
    async def go():
        async with aiohttp.ClientSession() as session:
            async with session.get(base) as response:
                await response.read()
            async with session.request(method, base + "/pay", data=b"a=1") as response:
                await response.read()

    asyncio.run(go())


def with_httplib2(method):
    client = httplib2.Http()
    client.request(base)
    client.request(base + "/pay", method, body="a=1")


def with_pycurl(method):
    handle = pycurl.Curl()
    handle.setopt(pycurl.WRITEFUNCTION, io.BytesIO().write)
    handle.setopt(pycurl.URL, base + "/")
    handle.perform()
    handle.setopt(pycurl.URL, base + "/pay")
    handle.setopt(pycurl.POSTFIELDS, "a=1")
    handle.setopt(pycurl.CUSTOMREQUEST, method)
    handle.perform()


expected = {"requests": (1, 1), "httpx": (1, 1), "aiohttp": (1, 2), "httplib2": (2, 2),
            "pycurl": (2, 2)}
clients = [with_requests, with_httpx, with_aiohttp, with_httplib2, with_pycurl]
seen = {}
for client in clients:
    name = client.__name__.removeprefix("with_")
    counts = []
    for method in ["POST", "PUT"]:
        arrived.clear()
        try:
            client(method)
        except Exception:
            pass
        counts.append(arrived.count(method))
    seen[name] = tuple(counts)
    print(name, version(name), "POST arrived", counts[0], "· PUT arrived", counts[1])
print(pycurl.version.split()[1])
raise SystemExit(seen != expected)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"

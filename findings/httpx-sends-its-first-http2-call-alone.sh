#!/usr/bin/env bash
# httpx 0.28.1 (httpcore 1.0.9, h2 4.4.1): on a new HTTP/2 connection one call goes out alone; the others
# wait until the server's SETTINGS have come. With TLS 1.3 those come a round trip after the handshake, so
# a screen of eight calls takes one round trip more than with HTTP/1.1, and as long as with TLS 1.2.
#
# RFC 9113 §3.4: a client may send frames right after the preface, without waiting for the SETTINGS; until
# those come, the number of streams is not limited (§6.5.2). curl 7.88 and Node 20 send all eight at once.
#
# Expected below, of eight calls at once behind a relay that delays 250 ms each way and once more for
# TCP's handshake: how many come to the server with the first, and how many round trips later the last.
# Exits with 1 if that changes. Needs python3, openssl and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install httpx==0.28.1 httpcore==1.0.9 h2==4.4.1
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$folder/key.pem" -out "$folder/certificate.pem" \
    -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 2>/dev/null
cat >"$folder/try.py" <<'PYTHON'
import asyncio, ssl, sys, time
from importlib.metadata import version

import h2.config, h2.connection, h2.events, httpx

FOLDER, WAY = sys.argv[1], 0.25
arrived = []


async def serve_http2(reader, writer):
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    connection.initiate_connection()
    writer.write(connection.data_to_send())
    while data := await reader.read(65536):
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                arrived.append(time.perf_counter())
                connection.send_headers(event.stream_id, [(":status", "200")], end_stream=True)
        writer.write(connection.data_to_send())
        await writer.drain()
    writer.close()


async def serve_http1(reader, writer):
    while await reader.readuntil(b"\r\n\r\n"):
        arrived.append(time.perf_counter())
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


async def answer(reader, writer):
    is_http2 = writer.get_extra_info("ssl_object").selected_alpn_protocol() == "h2"
    try:
        await (serve_http2 if is_http2 else serve_http1)(reader, writer)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def pump(reader, writer, first):
    """Passes bytes on after the way, the first of them later by a handshake of TCP."""
    loop, pieces = asyncio.get_running_loop(), asyncio.Queue()
    start = loop.time() + first

    async def out():
        while True:
            due, data = await pieces.get()
            await asyncio.sleep(max(0, due - loop.time()))
            if not data:
                return writer.close()
            writer.write(data)

    task = asyncio.create_task(out())
    data = b"-"
    while data:
        try:
            data = await reader.read(65536)
        except ConnectionError:
            data = b""
        pieces.put_nowait((max(loop.time(), start) + WAY, data))
    await task


async def measured(tls, has_http2):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{FOLDER}/certificate.pem", f"{FOLDER}/key.pem")
    context.minimum_version = context.maximum_version = tls
    context.set_alpn_protocols(["h2", "http/1.1"] if has_http2 else ["http/1.1"])
    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)

    async def relay(reader, writer):
        port = server.sockets[0].getsockname()[1]
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(
            pump(reader, far_writer, 2 * WAY), pump(far_reader, writer, 0), return_exceptions=True)

    front = await asyncio.start_server(relay, "127.0.0.1", 0)
    url = f"https://127.0.0.1:{front.sockets[0].getsockname()[1]}/"
    trusted = ssl.create_default_context(cafile=f"{FOLDER}/certificate.pem")
    arrived.clear()
    async with httpx.AsyncClient(http2=has_http2, verify=trusted, timeout=30) as client:
        await asyncio.gather(*(client.get(url) for _ in range(8)))
    later = round((arrived[-1] - arrived[0]) / (2 * WAY))
    return sum(moment - arrived[0] < WAY for moment in arrived), later


async def main():
    # Connections that rest at the end are cut off.
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    print(f"httpx {version('httpx')}, httpcore {version('httpcore')}, h2 {version('h2')}")
    expected = {
        ("HTTP/2", "1.3"): (1, 1), ("HTTP/2", "1.2"): (8, 0),
        ("HTTP/1.1", "1.3"): (8, 0), ("HTTP/1.1", "1.2"): (8, 0),
    }
    versions = {"1.3": ssl.TLSVersion.TLSv1_3, "1.2": ssl.TLSVersion.TLSv1_2}
    seen = {}
    for protocol, tls in expected:
        first, later = seen[protocol, tls] = await measured(versions[tls], protocol == "HTTP/2")
        print(f"{protocol} over TLS {tls}: {first} of 8 first, the last {later} round trips later")
    return seen != expected


sys.exit(asyncio.run(main()))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder"

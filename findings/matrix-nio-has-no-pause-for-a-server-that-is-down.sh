#!/bin/bash
# matrix-nio 0.26.0, sync_forever(): while a homeserver is down behind its proxy each bot asks as
# fast as the proxy says 502, dozens to hundreds of times a second; where there is no proxy it waits
# longer each time.
#
# The long poll of sync_forever() has a pause for a lost connection, doubled up to a minute, and one
# for a 429. Any other refusal is a SyncError, which is handed to the callbacks, and the loop goes
# on at once. A restart of a homeserver takes a minute or two, in which its proxy answers 502 or 503
# within a millisecond: a host of fifty bots is a load of thousands of requests a second on that
# proxy, and on the server as soon as it comes up. On a developer's machine, without a proxy, the
# same restart is quiet. A Retry-After of the 503 is not read. loop_sleep_time is a pause after each
# round, so it delays each message as well; a callback for SyncError that sleeps delays errors only.
#
# Expected below, as requests in 3 s of a server that was well for one sync: with 502 and 503 more
# than 50, also with Retry-After; with a lost connection under 30, with 429 under 5; with 503 and
# loop_sleep_time=1000 or a callback that sleeps a second under 6. Exits with 1 if that changes. The
# server is in the process; needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile matrix-nio==0.26.0 aiohttp==3.14.5
cat >"$folder/try.py" <<'PYTHON'
import asyncio, json, logging
from importlib.metadata import version

from nio import AsyncClient, SyncError

logging.disable()
WELL = {"next_batch": "s1", "rooms": {}, "device_one_time_keys_count": {},
        "presence": {"events": []}, "to_device": {"events": []},
        "device_lists": {"changed": [], "left": []}}
BUSY = {"errcode": "M_LIMIT_EXCEEDED", "error": "too many", "retry_after_ms": 1500}


async def play(fault, **options):
    arrived = []

    async def serve(reader, writer):
        """One request after the other, until the fault is a lost connection."""
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                arrived.append(fault)
                status = 200 if len(arrived) == 1 else fault
                if status == "lost":
                    break
                body = json.dumps(WELL if status == 200 else BUSY if status == 429 else {})
                writer.write(f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n"
                             f"Retry-After: 2\r\nContent-Length: {len(body)}\r\n\r\n"
                             f"{body}".encode())
        except asyncio.IncompleteReadError:
            pass
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    client = AsyncClient(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", "@ada:a.example")
    client.restore_login("@ada:a.example", "device", "token")
    if options.pop("callback", False):
        client.add_response_callback(lambda _: asyncio.sleep(1), SyncError)
    bot = asyncio.create_task(client.sync_forever(timeout=30_000, **options))
    await asyncio.sleep(3)
    goes_on = not bot.done()
    bot.cancel()
    await asyncio.gather(bot, return_exceptions=True)
    await client.close()
    server.close()
    return len(arrived), goes_on


print("matrix-nio", version("matrix-nio"))
changed = False
for fault, options, least, most in (
        (502, {}, 50, 10**6), (503, {}, 50, 10**6), ("lost", {}, 2, 30), (429, {}, 2, 5),
        (503, {"loop_sleep_time": 1000}, 2, 6), (503, {"callback": True}, 2, 6)):
    requests, goes_on = asyncio.run(play(fault, **options))
    print(f"{fault} {options}: {requests} requests in 3 s")
    changed |= not least <= requests <= most or not goes_on
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

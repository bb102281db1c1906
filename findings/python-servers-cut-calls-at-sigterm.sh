#!/bin/bash
# What SIGTERM, which each deployment sends, does to a request under way: waitress 3.0.2, daphne
# 4.2.3 and Twisted 26.10.0 end its connection at once, hypercorn 0.18.0 answers 500 after three
# seconds; gunicorn 27.0.1, uvicorn 0.54.0 and granian 2.8.9 finish it.
#
# waitress has no handler for the signal: Python ends. daphne and twist stop their reactor, which
# closes what is open. hypercorn waits graceful_timeout, 3 s, then cancels the app, and sends a 500
# where none of its response was out. The work may have been done, or half of it; the client sees a
# lost connection, which one that repeats sends again, also a payment. It happens to the slowest
# calls, a few at each deployment, so it is looked for in the database. The others wait 30 s
# (gunicorn) or as long as it takes, and the platform's own limit, 10 s with Docker, is the next to
# know.
#
# Expected below, of a POST that takes 6 s, and SIGTERM after 1 s: 200 from the last three; 500
# after 2.5 to 4.8 s from hypercorn; no response, within 2.5 s, from the first three. Exits with 1
# if that changes. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile waitress==3.0.2 daphne==4.2.3 Twisted==26.10.0 \
    hypercorn==0.18.0 gunicorn==27.0.1 uvicorn==0.54.0 granian==2.8.9
cat >"$folder/threads.py" <<'PYTHON'
import time


def app(environ, start):
    time.sleep(6)
    start("200 OK", [("Content-Length", "2")])
    return [b"ok"]
PYTHON
cat >"$folder/loops.py" <<'PYTHON'
import asyncio


async def app(scope, receive, send):
    if scope["type"] == "http":
        await asyncio.sleep(6)
        await send({"type": "http.response.start", "status": 200,
                    "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})
PYTHON
cat >"$folder/try.py" <<'PYTHON'
import os, pathlib, socket, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor

folder, programs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.executable).parent
commands = {
    "waitress": "waitress-serve --listen=127.0.0.1:{} threads:app",
    "daphne": "daphne -p {} loops:app", "hypercorn": "hypercorn -b 127.0.0.1:{} loops:app",
    "twist": "twist web --listen tcp:{}:interface=127.0.0.1 --wsgi threads.app",
    "gunicorn": "gunicorn -b 127.0.0.1:{} threads:app", "uvicorn": "uvicorn --port {} loops:app",
    "granian": "granian --interface asgi --port {} loops:app",
}


def play(name):
    """The status of the request, if it has a response, and the seconds from signal to end."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program, *arguments = commands[name].format(port).split()
    process = subprocess.Popen(
        [programs / program, *arguments], cwd=folder, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": str(folder)})
    try:
        for _ in range(400):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        time.sleep(2)
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            connection.sendall(b"POST /pay HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
            time.sleep(1)
            process.terminate()
            began = time.monotonic()
            try:
                status = connection.recv(100)[9:12].decode()
            except ConnectionResetError:
                status = ""
            return status, time.monotonic() - began
    finally:
        process.kill()
        process.wait()


with ThreadPoolExecutor(3) as pool:
    seen = dict(zip(commands, pool.map(play, commands)))
for name, (status, seconds) in seen.items():
    print(f"{name}: {status or 'no response'}, {seconds:.1f} s after SIGTERM")
raise SystemExit(not (
    all(seen[name][0] == "" and seen[name][1] < 2.5 for name in ("waitress", "daphne", "twist"))
    and seen["hypercorn"][0] == "500" and 2.5 < seen["hypercorn"][1] < 4.8
    and all(seen[name][0] == "200" for name in [*commands][4:])))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"

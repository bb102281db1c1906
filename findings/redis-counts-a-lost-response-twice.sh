#!/bin/bash
# redis 8.1.0 (Python): an incr() whose response is lost is sent again without a word, up to ten
# times; it returns 2 for a user's first request, and a queue has a job twice.
#
# Each command is tried again after a lost connection or a time-out, by itself, and INCR, RPUSH and
# Lua scripts are commands like any other. A connection that ends after the server did its work, as
# behind a proxy that restarts, at a failover, or in a network that drops idle ones, is such a case:
# nothing is raised, and the counter has one more than there were calls. With limits 5.8.0 on top
# one request is two of a user's ten a day, and 11 where each response is lost: the user gets 429
# for requests that were never made. The documents have the retries as a policy for failures of the
# moment; that commands which may not be repeated are among them they do not say.
#
# Expected below, of a relay that ends the connection in place of one response: incr() returns 2,
# rpush() makes a list of 2, and a limit of ten a day lets 9 calls pass; with Retry(NoBackoff(),
# 0) incr() raises ConnectionError and the counter is 1. Where the first eleven responses are lost
# incr() raises, and the counter is 11. Exits with 1 if that changes. Pauses are not slept, server
# and relay are on this machine; needs Debian 12 with apt-get, python3 and PyPI; nothing is
# installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download redis-server redis-tools libjemalloc2 liblzf1 libatomic1 \
    liblua5.1-0 lua-bitop lua-cjson >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile redis==8.1.0 limits==5.8.0
cat >"$folder/try.py" <<'PYTHON'
import os, pathlib, socket, subprocess, sys, threading, time
from importlib.metadata import version

import limits, redis
from redis.backoff import NoBackoff
from redis.retry import Retry

folder, losses = pathlib.Path(sys.argv[1]), 0
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
libraries = next(folder.glob("root/usr/lib/*-linux-gnu"))
server = subprocess.Popen(
    [folder / "root/usr/bin/redis-server", "--port", str(port), "--save", "", "--dir", folder],
    stdout=subprocess.DEVNULL, env=os.environ | {"LD_LIBRARY_PATH": str(libraries)})
redis.retry.sleep = lambda seconds: None
sleep, time.sleep = time.sleep, lambda seconds: None


def relay(client):
    """Hands on one command after the other, and loses the response to one that writes."""
    global losses
    with client, socket.create_connection(("127.0.0.1", port)) as upstream:
        while command := client.recv(65536):
            upstream.sendall(command)
            response = upstream.recv(65536)
            if losses and any(word in command for word in (b"INCRBY", b"RPUSH", b"EVALSHA")):
                losses -= 1
                return
            client.sendall(response)


def accept(listener):
    while True:
        threading.Thread(target=relay, args=(listener.accept()[0],), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, args=(listener,), daemon=True).start()
through = listener.getsockname()[1]


def lose(count, call):
    global losses
    losses = count
    try:
        return call()
    except redis.ConnectionError as error:
        return type(error).__name__
    finally:
        losses = 0


try:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        sleep(0.1)
    direct, client = redis.Redis(port=port), redis.Redis(port=through)
    once = redis.Redis(port=through, retry=Retry(NoBackoff(), 0))
    storage = limits.storage.RedisStorage(
        f"redis://127.0.0.1:{through}", connection_pool=client.connection_pool)
    limiter, ten = limits.strategies.FixedWindowRateLimiter(storage), limits.parse("10/day")
    limiter.hit(ten, "another user")
    seen = {
        "incr() returns": lose(1, lambda: client.incr("a")),
        "rpush() makes a list of": lose(1, lambda: client.rpush("b", "job")),
        "calls of ten a day that pass": lose(1, lambda: limiter.hit(ten, "user")) + sum(
            limiter.hit(ten, "user") for _ in range(10)),
        "without retries, incr()": lose(1, lambda: once.incr("c")),
        "and the counter is": int(direct.get("c")),
        "eleven losses, incr()": lose(11, lambda: client.incr("d")),
        "with a counter of": int(direct.get("d")),
    }
    print("redis", version("redis"), "- limits", version("limits"), "- server",
          direct.info()["redis_version"])
finally:
    server.terminate()
    server.wait()
for name, value in seen.items():
    print(name, value)
raise SystemExit([*seen.values()] != [2, 2, 9, "ConnectionError", 1, "ConnectionError", 11])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"

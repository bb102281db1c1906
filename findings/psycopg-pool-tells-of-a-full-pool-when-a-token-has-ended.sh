#!/bin/bash
# psycopg-pool 3.3.3 (PostgreSQL) with a token for a password: when the token has ended each request
# waits half a minute, and is told that there was no connection to be had.
#
# Databases of the clouds take a token of 15 min or an hour for a password. A pool that was given
# one in its conninfo or kwargs goes on with the connections that it has, for max_lifetime, an hour.
# New ones are made in the background; that the server refuses them is a warning in the log, with
# its reason, and the one who waits gets PoolTimeout, "couldn't get a connection after 30.00 sec",
# which is the message of a pool that is too small as well, and holds a thread of the web server
# until then. So the first sign, an hour after the token's end, looks like load, and a larger pool
# is the remedy that does not help: it makes more logins with the ended token. kwargs may be a
# function, called for each connection, and then nothing happens; a string is what the examples
# have. SQLAlchemy 2.1.9's pool connects in the thread that asks, and raises what the server said.
#
# Expected below, with a time-out of 2 s, a life of 1 s and a token that ends meanwhile:
# psycopg-pool: PoolTimeout after 1.9 s or more, without the server's words, after 2 or more refused
# logins; with a function for kwargs a connection within 1 s; SQLAlchemy OperationalError within 1
# s, with the server's words. Exits with 1 if that changes. The server is in the process; needs
# python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile psycopg==3.3.9 psycopg-binary==3.3.9 \
    psycopg-pool==3.3.3 SQLAlchemy==2.1.9
cat >"$folder/try.py" <<'PYTHON'
import contextlib, logging, socketserver, struct, threading, time
from importlib.metadata import version

import psycopg, psycopg_pool, sqlalchemy.pool

logging.disable()
logins, good = [], set()
REFUSAL = b"SFATAL\0VFATAL\0C28P01\0Mthe token has ended\0\0"


class Database(socketserver.StreamRequestHandler):
    """As much of PostgreSQL as a login takes."""

    def read(self): return self.rfile.read(struct.unpack("!I", self.rfile.read(4))[0] - 4)

    def send(self, kind, body=b""):
        self.wfile.write(kind + struct.pack("!I", len(body) + 4) + body)

    def handle(self):
        self.read()
        self.send(b"R", struct.pack("!I", 3))  # it asks for a password
        self.rfile.read(1)
        logins.append(self.read().rstrip(b"\0").decode())
        if logins[-1] not in good:
            return self.send(b"E", REFUSAL)
        self.send(b"R", struct.pack("!I", 0))
        self.send(b"S", b"client_encoding\0UTF8\0")
        self.send(b"S", b"server_version\0" + b"15.0\0")
        self.send(b"Z", b"I")
        while self.rfile.read(1) not in (b"X", b""):
            self.read()


socketserver.ThreadingTCPServer.daemon_threads = True
server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Database)
threading.Thread(target=server.serve_forever, daemon=True).start()
target = f"host=127.0.0.1 port={server.server_address[1]} user=a dbname=b sslmode=disable"


def token(): return {"password": current}


def by_psycopg(kwargs):
    pool = psycopg_pool.ConnectionPool(
        target, kwargs=kwargs, min_size=1, max_size=4, max_lifetime=1, timeout=2, open=True)
    return pool.connection, pool.close


def by_sqlalchemy():
    pool = sqlalchemy.pool.QueuePool(
        lambda: psycopg.connect(target, password="old"), pool_size=1, timeout=2, recycle=1)
    return lambda: contextlib.closing(pool.connect()), pool.dispose


print(*(f"{name} {version(name)}" for name in ("psycopg-pool", "SQLAlchemy")))
seen = []
for name, make in (("psycopg-pool", lambda: by_psycopg({"password": "old"})),
                   ("psycopg-pool, a function", lambda: by_psycopg(token)),
                   ("SQLAlchemy", by_sqlalchemy)):
    good.clear(), good.add("old")
    current = "old"
    connect, close = make()
    with connect(): pass
    good.clear(), good.add("new")
    current, logins[:] = "new", []
    time.sleep(2.5)
    for _ in range(4):  # the first ones may still get a connection from before
        began, end = time.monotonic(), "a connection"
        try:
            with connect(): pass
        except Exception as error:
            end = f"{type(error).__name__}: {error}"
            break
        time.sleep(0.2)
    took = time.monotonic() - began
    close()
    seen.append((took, end.split(":")[0], "ended" in end, logins.count("old")))
    print(f"{name}: after {took:.1f} s {' '.join(end.split())[:110]}; logins refused:",
          logins.count("old"))
static, function, other = seen
raise SystemExit(not (
    static[0] > 1.9 and static[1:3] == ("PoolTimeout", False) and static[3] >= 2
    and function[0] < 1 and function[1] == "a connection"
    and other[0] < 1 and other[1:3] == ("OperationalError", True)))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

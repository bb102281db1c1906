#!/bin/bash
# influxdb-client 1.50.0 (Python), write_api with batches: a server that is over its limit and asks
# for a pause stops the writes of the whole process, of other clients to other servers too.
#
# Batches are sent by a scheduler of one thread. Its retries sleep in that thread, as Retry-After
# says, up to five times. The scheduler is the default value of an argument of WriteOptions, and
# Python makes such a value once: each WriteOptions, so each write_api of each client, has the same
# one. Meanwhile write() returns at once, and what it is given piles up in memory; the app sees
# nothing, and the data of servers with no limit in sight has a hole at its newest end, where alarms
# look. close() waits for the pause, five minutes at most, so a container that is stopped meanwhile
# is killed with what was piled up. max_retry_delay and max_retry_time do not bound a Retry-After. A
# 401 is no retry: the batch is dropped at once, told to error_callback and the log. A
# write_scheduler of its own for each WriteOptions is the way out.
#
# Expected below, of a write by one client and five by another to another server, half a second
# later: with 429 or 503 and Retry-After: 4 for the first, the others arrive 3 to 6 s after write()
# returned, which took under 1 s, and close() takes that long; with a scheduler each, or 401 for the
# first, under 2 s. Exits with 1 if that changes. The servers are in the process; needs python3 and
# PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile influxdb-client==1.50.0
cat >"$folder/try.py" <<'PYTHON'
import http.server, logging, threading, time, urllib.parse
from importlib.metadata import version

from influxdb_client import InfluxDBClient, WriteOptions
from reactivex.scheduler import ThreadPoolScheduler

logging.disable()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        times = self.server.arrived
        times.append(time.monotonic())
        is_over = self.server is over and len(times) == 1
        self.send_response(refusal if is_over else 204)
        if is_over and refusal != 401:
            self.send_header("Retry-After", "4")
        self.send_header("Content-Length", "0")
        self.end_headers()


def begin():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.arrived = []
    return server


def client(server, options):
    return InfluxDBClient(f"http://127.0.0.1:{server.server_port}", token="t", org="o").write_api(
        WriteOptions(batch_size=1, flush_interval=100, **options))


print("influxdb-client", version("influxdb-client"))
seen = []
for refusal, has_own in ((429, False), (503, False), (429, True), (401, False)):
    over, other = begin(), begin()
    first, second = (client(server, {"write_scheduler": ThreadPoolScheduler(1)} if has_own else {})
                     for server in (over, other))
    first.write("bucket", record="load value=1")
    time.sleep(0.5)
    began = time.monotonic()
    for _ in range(5):
        second.write("bucket", record="load value=1")
    written = time.monotonic()
    second.close()
    closed = time.monotonic()
    first.close()
    late = other.arrived[-1] - written
    seen.append((len(other.arrived), written - began < 1, 3 < late < 6, closed - written > 2.5,
                 len(over.arrived)))
    print(f"{refusal}, a scheduler each: {has_own}: {len(other.arrived)} writes to the other",
          f"server after {late:.1f} s, write() took {written - began:.1f} s, close()",
          f"{closed - written:.1f} s; {len(over.arrived)} requests to the first")
raise SystemExit(seen != [
    (5, True, True, True, 2), (5, True, True, True, 2), (5, True, False, False, 2),
    (5, True, False, False, 1)])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

#!/usr/bin/env bash
# elasticsearch 9.5.1 and opensearch-py 3.2.0 (Python): a write that is answered 503 is sent four
# times at once, without a pause.
#
# Both repeat a call up to three times by themselves, on 502, 503 and 504, the first one on 429,
# too. That is in their documents; that they make no pause is not, and neither of them reads
# Retry-After. So a cluster that sheds load with 429 gets four times the load within a second, from
# every client at the same moment. A POST is no exception: index() without an id makes a document
# of each one that a proxy answers 502 after the cluster has done it.
#
# Expected below, of an index() without an id against one node that answers 429 or 503 with
# Retry-After of 30 s: how many POSTs arrive, and that the last comes less than 2 s after the
# first: elasticsearch 4 and 4, opensearch-py 1 and 4. Exits with 1 if that changes. The server is
# on this machine; needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile elasticsearch==9.5.1 opensearch-py==3.2.0
cat >"$folder/try.py" <<'PYTHON'
import http.server, threading, time
from importlib.metadata import version

from elasticsearch import Elasticsearch
from opensearchpy import OpenSearch


class Server(http.server.BaseHTTPRequestHandler):
    status, arrivals = 0, []

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.arrivals.append((time.monotonic(), self.path))
        self.send_response(self.status)
        self.send_header("X-Elastic-Product", "Elasticsearch")
        self.send_header("Content-Type", "application/json")
        self.send_header("Retry-After", "30")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_): pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url, order = f"http://127.0.0.1:{server.server_port}", {"customer": 1, "amount": 100}
writes = {
    "elasticsearch": lambda: Elasticsearch(url).index(index="orders", document=order),
    "opensearch-py": lambda: OpenSearch([url]).index(index="orders", body=order),
}
seen = {}
for name, write in writes.items():
    for Server.status in (429, 503):
        Server.arrivals.clear()
        try:
            write()
        except Exception as error:
            assert str(Server.status) in str(error), error
        paths = {path for _, path in Server.arrivals}
        took = Server.arrivals[-1][0] - Server.arrivals[0][0]
        seen[name, Server.status] = len(Server.arrivals), paths == {"/orders/_doc"}, took < 2
        print(f"{name} {version(name)}, {Server.status}: {len(Server.arrivals)} arrive,",
              f"the last {took:.2f} s after the first", *paths)
raise SystemExit(seen != {
    (name, status): (count, True, True) for name, status, count in (
        ("elasticsearch", 429, 4), ("elasticsearch", 503, 4), ("opensearch-py", 429, 1),
        ("opensearch-py", 503, 4))})
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/try.py"

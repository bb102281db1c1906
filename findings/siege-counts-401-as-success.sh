#!/usr/bin/env bash
# siege 4.0.7: a run whose token has ended is 100 % successful and available, at five-fold load.
#
# The manual has successful transactions as those with "a return code < 400". A 401 counts as one,
# too, and without a login in its configuration siege sends each such request five times and counts
# all five. 403 and 429 are neither successful nor failed, and availability is 100 % with each of
# them, although the manual says that failed transactions have what availability leaves out. So a
# load test whose token ends on the way ends with good numbers, and with a better rate than before.
#
# Expected below, of 2 users with 10 requests each, answered by one status: requests that arrive,
# transactions, successful, failed, availability: 200 20 20 20 0 100, 401 100 100 100 0 100, 403 and
# 429 20 20 0 0 100, 503 20 0 0 20 0. Exits with 1 if that changes. The server is on this machine;
# needs Debian 12 with apt-get and python3; nothing is installed, everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download siege=4.0.7-1+b1 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
dpkg -x "$folder"/siege_*.deb "$folder/root"
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, os, pathlib, subprocess, sys, threading

folder = pathlib.Path(sys.argv[1])
siege = str(folder / "root/usr/bin/siege")
(folder / "conf").write_text("json_output = true\nlogging = false\nparser = false\n")


class Server(http.server.BaseHTTPRequestHandler):
    arrivals, lock = 0, threading.Lock()

    def do_GET(self):
        with self.lock:
            Server.arrivals += 1
        status = int(self.path[1:])
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Bearer error="invalid_token"')
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_): pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(next(folder.glob("siege_*.deb")).name)
seen = {}
for status in (200, 401, 403, 429, 503):
    Server.arrivals = 0
    end = subprocess.run(
        [siege, "-R", folder / "conf", "-q", "-b", "-c", "2", "-r", "10",
         "-H", "Authorization: Bearer ended", f"http://127.0.0.1:{server.server_port}/{status}"],
        env=os.environ | {"HOME": str(folder)}, capture_output=True, text=True, timeout=60).stdout
    result = json.loads(end[end.index("{"):])
    seen[status] = (Server.arrivals, *(result[name] for name in (
        "transactions", "successful_transactions", "failed_transactions", "availability")))
    print(f"{status}: arrived, transactions, successful, failed, availability:", *seen[status])
raise SystemExit(seen != {
    200: (20, 20, 20, 0, 100), 401: (100, 100, 100, 0, 100), 403: (20, 20, 0, 0, 100),
    429: (20, 20, 0, 0, 100), 503: (20, 0, 0, 20, 0)})
PYTHON
python3 "$folder/try.py" "$folder"

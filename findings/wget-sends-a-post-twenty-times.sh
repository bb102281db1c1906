#!/bin/bash
# wget 1.21.3 (Debian 12): a POST whose response is lost, or slower than the time-out, is sent
# twenty times.
#
# wget is made to fetch files, and tries twenty times until it has one. It does so for --post-data
# and --method as well: a payment, or a refresh, that the server has done before its response was
# lost is done again, after pauses of 1, 2, 3 s and up to 10 s, for two and a half minutes. A
# refresh token that is good for once was spent by the first of them: the others are taken for
# theft, at a server that looks for it. The page on --tries has connections that are refused and
# pages that are not there as what is not tried again, and no method; where the second try is
# answered the exit code is 0, and with -q nothing is said. --tries=1 is the way out. curl 7.88.1
# sends it once.
#
# Expected below, of a POST whose response is always lost, of one that takes 1 s with a time-out of
# 0.2 s, and of a PATCH that is lost: 20, 20 and 20 requests; of a POST whose first response is lost
# 2 requests and exit code 0; with --tries=1 and with curl 1. Exits with 1 if that changes. Pauses
# are cut by --waitretry=0, the server is on this machine. Needs Debian 12 with apt-get and python3;
# nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download wget=1.21.3-1+deb12u1 curl libcurl4 libnghttp2-14 \
    librtmp1 libssh2-1 libpsl5 libldap-2.5-0 libsasl2-2 libbrotli1 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import http.server, os, pathlib, subprocess, sys, threading, time

root = pathlib.Path(sys.argv[1]) / "root/usr"
libraries = os.environ | {"LD_LIBRARY_PATH": str(next(root.glob("lib/*-linux-gnu")))}
state = {"losses": 0, "seconds": 0.0, "arrived": []}


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        state["arrived"].append((self.command, body))
        if len(state["arrived"]) <= state["losses"]:
            return  # the work is done, and the connection ends
        time.sleep(state["seconds"])
        try:
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()
        except ConnectionError:
            pass

    do_PATCH = do_POST


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}/pay"
wget = [root / "bin/wget", "-q", "-O", os.devnull, "--no-config", "--no-proxy", "--waitretry=0"]
curl = [root / "bin/curl", "-q", "-s", "--noproxy", "*", "-d", "amount=1"]
post = ["--post-data=amount=1"]
for tool in (wget, curl):
    print(subprocess.run([tool[0], "--version"], env=libraries, capture_output=True,
                         text=True).stdout.split(" built")[0].split(" (")[0])
changed = False
for name, command, losses, seconds, expected in (
    ("POST, always lost", wget + post, 99, 0, (20, 4)),
    ("POST, too slow", wget + post + ["--read-timeout=0.2"], 0, 1, (20, 4)),
    ("PATCH, always lost", wget + ["--method=PATCH", "--body-data=amount=1"], 99, 0, (20, 4)),
    ("POST, lost once", wget + post, 1, 0, (2, 0)),
    ("POST, always lost, --tries=1", wget + post + ["--tries=1"], 99, 0, (1, 4)),
    ("POST with curl, always lost", curl, 99, 0, (1, 52)),
):
    state.update(losses=losses, seconds=seconds, arrived=[])
    code = subprocess.run([*command, address], env=libraries, timeout=60).returncode
    seen = len(state["arrived"]), code
    changed |= seen != expected or {body for _, body in state["arrived"]} != {b"amount=1"}
    print(f"{name}: {seen[0]} requests, exit code {code}")
raise SystemExit(changed)
PYTHON
python3 "$folder/try.py" "$folder"

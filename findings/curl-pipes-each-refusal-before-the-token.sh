#!/bin/bash
# curl 7.88.1 with --retry in a pipe: what comes out is the body of each attempt, and a script that
# asks for a token reads that of a 503.
#
# The manual has --retry for a transfer that fails for the moment: a time-out, 408, 429, 500, 502,
# 503, 504. With -o the file of an attempt is emptied before the next one. What went to stdout is
# not taken back, neither from a pipe nor from a file behind a ">": a client that retries hands on
# {"error":"busy"}{"error":"busy"}{"access_token":"t"}, with exit code 0. So a script that pipes the
# response of a token endpoint to jq or to Python works for months, and on the day when the endpoint
# is busy for a second, which the option is there for, its token is three lines, or it ends with an
# error of the parser. With --fail there is no body of a refusal. The manual warns of it at another
# option, --retry-all-errors, and not at --retry.
#
# Expected below, of an endpoint that answers 503, 503 and 200: exit code 0 and 3 requests each; 3
# JSON documents from a pipe and from a ">", 1 with -o and with --fail. Exits with 1 if that
# changes. The server is on this machine; needs Debian 12 with apt-get and python3; nothing is
# installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download curl=7.88.1-10+deb12u15 libcurl4=7.88.1-10+deb12u15 \
    >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, os, pathlib, subprocess, sys, threading

folder = pathlib.Path(sys.argv[1])
curl = str(folder / "root/usr/bin/curl")
libraries = os.environ | {"LD_LIBRARY_PATH": str(next(folder.glob("root/usr/lib/*-linux-gnu")))}


class Server(http.server.BaseHTTPRequestHandler):
    arrived = 0

    def log_message(self, *_): pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        Server.arrived += 1
        is_up = self.arrived > 2
        body = json.dumps({"access_token": "t"} if is_up else {"error": "busy"}).encode()
        self.send_response(200 if is_up else 503)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
token = [curl, "-s", "-q", "--retry", "3", "--retry-delay", "1", "-d",
         "grant_type=client_credentials", f"http://127.0.0.1:{server.server_port}/token"]


def documents(text):
    found, decoder = [], json.JSONDecoder()
    while text:
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:].lstrip()
    return found


def play(options, goes_to_file):
    Server.arrived = 0
    path = folder / "out"
    with open(path, "w") as out:
        done = subprocess.run(
            token + options, stdout=out if goes_to_file else subprocess.PIPE, text=True,
            env=libraries, timeout=60)
    text = path.read_text() if done.stdout is None or "-o" in options else done.stdout
    return done.returncode, Server.arrived, documents(text)


print(subprocess.run([curl, "--version"], capture_output=True, text=True, env=libraries)
      .stdout.split(" (")[0])
changed = False
for name, options, goes_to_file, expected in (
    ("in a pipe", [], False, 3), ("behind >", [], True, 3),
    ("with -o", ["-o", str(folder / "out")], False, 1), ("with --fail", ["--fail"], False, 1),
):
    code, arrived, found = play(options, goes_to_file)
    changed |= (code, arrived, len(found)) != (0, 3, expected)
    changed |= found != [{"error": "busy"}] * (expected - 1) + [{"access_token": "t"}]
    print(f"{name}: exit code {code}, {arrived} requests, output:", *map(json.dumps, found))
raise SystemExit(changed)
PYTHON
python3 "$folder/try.py" "$folder"

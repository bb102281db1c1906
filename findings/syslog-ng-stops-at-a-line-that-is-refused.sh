#!/bin/bash
# syslog-ng 3.38.1 (Debian 12), http(): one log line that the server refuses with 400 stops all that
# follow, for ever, with retries(2) as well; so do a 404 and a 302.
#
# A response of 4xx, but for 410, 416, 422, 424, 425 and 451, counts as "not connected": the same
# line is sent again after time-reopen(), 60 s, and nothing else goes out meanwhile. retries()
# counts failures of another class, so it does not end that; a server that finds a field of a wrong
# type says 400 each time. The log of the API then stands still at that line, with an agent that is
# well and a server that is well, until the buffer is full; from then on lines are dropped, the new
# ones. A 422, which other servers say to the same line, is dropped after the first try, and the
# next one goes out. A 401, of a token that has ended, is repeated with the header of the
# configuration; a 504 alone counts for retries(), and its line is dropped after them.
# response-action(400 => drop) is the way out.
#
# Expected below, of the lines one, bad, two and three, with time-reopen(2) and a server that
# refuses bad, within 9 s: with 400, 404 and 302 one arrives, bad 3 to 6 times, two and three not;
# with 422 bad once, two and three; with 400 and response-action(400 => drop) the same. Exits with 1
# if that changes. The server is on this machine; needs Debian 12 with apt-get and python3; nothing
# is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -q download syslog-ng-core=3.38.1-5+deb12u1 \
    syslog-ng-mod-http=3.38.1-5+deb12u1 libivykis0 libnet1 libwrap0 libjson-c5 libcurl4 libpcre3 \
    libsystemd0 libcap2 libglib2.0-0 >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import http.server, os, pathlib, subprocess, sys, threading, time
from concurrent.futures import ThreadPoolExecutor

folder = pathlib.Path(sys.argv[1])
root = folder / "root/usr"
libraries = [root / "lib/x86_64-linux-gnu", folder / "root/lib/x86_64-linux-gnu",
             root / "lib/syslog-ng"]
environment = os.environ | {"LD_LIBRARY_PATH": ":".join(map(str, libraries)), "http_proxy": ""}


def start(name, action, address):
    """Begins syslog-ng, with a file as its source and the server as its destination."""
    place = folder / name
    place.mkdir()
    (place / "in").write_text("")
    (place / "configuration").write_text(f"""@version: 3.35
options {{ time-reopen(2); }};
source lines {{ file("{place}/in" follow-freq(0.2) flags(no-parse)); }};
destination server {{ http(url("{address}") body("$MSG") retries(2) {action}); }};
log {{ source(lines); destination(server); }};
""")
    return subprocess.Popen(
        [root / "sbin/syslog-ng", "-F", "--no-caps", "-f", place / "configuration",
         "-R", place / "persist", "-c", place / "control", "--pidfile", place / "pid",
         "--module-path", root / "lib/syslog-ng/3.38"],
        stdout=subprocess.DEVNULL, stderr=open(place / "log", "w"), env=environment)


def play(name, status, action):
    arrived = []

    class Server(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_): pass

        def do_POST(self):
            arrived.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(status if arrived[-1] == "bad" else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    process = start(name, action, f"http://127.0.0.1:{server.server_port}/")
    try:
        time.sleep(3)
        with open(folder / name / "in", "a") as file:
            file.write("one\nbad\ntwo\nthree\n")
        time.sleep(9)
    finally:
        process.terminate()
        process.wait()
    return arrived


print(subprocess.run([root / "sbin/syslog-ng", "--version"], capture_output=True, text=True,
                     env=environment).stdout.split("\n")[0])
cases = [("400", 400, ""), ("404", 404, ""), ("302", 302, ""), ("422", 422, ""),
         ("400-drop", 400, "response-action(400 => drop)")]
with ThreadPoolExecutor(len(cases)) as pool:
    seen = list(pool.map(lambda case: play(*case), cases))
for (name, *_), arrived in zip(cases, seen):
    print(f"{name}:", *arrived)
stopped = all(arrived[0] == "one" and {*arrived[1:]} == {"bad"} and 4 <= len(arrived) <= 7
              for arrived in seen[:3])
raise SystemExit(not (stopped and seen[3:] == [["one", "bad", "two", "three"]] * 2))
PYTHON
python3 "$folder/try.py" "$folder"

#!/usr/bin/env bash
# wrk 4.1.0, h2load 1.52.0 and locust 2.47.0: a server that stops answering during the run is a
# success, with the best numbers of all.
#
# A request that has no response when the time is over is in no figure of theirs: not in the
# percentiles, not among the errors, and not among the time-outs. wrk documents --timeout, 2 s by
# itself, as "record a timeout if a response is not received within this amount of time"; it records
# one that comes late. h2load says "0 failed, 0 errored, 0 timeout" and shows the requests only as
# the difference of two counts. locust divides by the time until its last response: its rate is that
# of a server that went on. All end with exit code 0, so a check in CI passes. The load must be bad,
# but not so bad that nothing comes back.
#
# Expected below, of four clients for five seconds and a server that answers the first 40 requests,
# after 0.02 s each, and no further one: 44 requests arrive; each tool has 40 requests, no error, a
# longest time or p99 of less than 4 s and exit code 0; the requests/s of locust are more than 1.5
# times those that there were. Exits with 1 if that changes. The server is on this machine; needs
# Debian 12 with apt-get, python3 and PyPI; nothing is installed, everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download wrk=4.1.0-3+b2 nghttp2-client=1.52.0-1+deb12u3 libev4 \
    libjemalloc2 libnghttp2-14 libc-ares2 >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install locust==2.47.0
cat >"$folder/try.py" <<'PYTHON'
import http.server, os, pathlib, re, subprocess, sys, threading, time

folder = pathlib.Path(sys.argv[1])
programs = folder / "root/usr/bin"
libraries = os.environ | {"LD_LIBRARY_PATH": str(next(folder.glob("root/usr/lib/*-linux-gnu")))}
over = threading.Event()


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    arrived, lock = 0, threading.Lock()

    def log_message(self, *_): pass

    def do_GET(self):
        with self.lock:
            Server.arrived += 1
            number = Server.arrived
        if number > 40:
            over.wait(120)
            self.close_connection = True
            return
        time.sleep(0.02)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
server.handle_error = lambda *_: None
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"


def run(*command):
    Server.arrived = 0
    over.clear()
    ended = subprocess.run(
        command, env=libraries, capture_output=True, text=True, timeout=150, cwd=folder)
    over.set()
    return ended.stdout + ended.stderr, ended.returncode, Server.arrived


def in_seconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 1e-6, "ms": 1e-3, "s": 1}[unit]


def wrk(seconds):
    text, code, arrived = run(
        programs / "wrk", "-t1", "-c4", f"-d{seconds}s", "--latency", address + "/")
    requests = int(re.search(r"(\d+) requests in", text)[1])
    errors = sum(map(int, re.findall(r"(?:connect|read|write|timeout) (\d+)", text)))
    return arrived, requests, errors, code, in_seconds(re.search(r"99% +(\S+)", text)[1])


def h2load(seconds):
    text, code, arrived = run(programs / "h2load", "--h1", f"-D{seconds}", "-c4", address + "/")
    counts = {name: int(count) for count, name in re.findall(
        r"(\d+) (total|started|done|succeeded|failed|errored|timeout)", text)}
    errors = counts["failed"] + counts["errored"] + counts["timeout"]
    longest = re.search(r"time for request: +\S+ +(\S+)", text)[1]
    return arrived, counts["succeeded"], errors, code, in_seconds(longest)


def locust(kind, seconds):
    (folder / "load.py").write_text(
        f"from locust import {kind}, task\nclass User({kind}):\n    @task\n"
        "    def get(self): self.client.get('/')\n")
    text, code, arrived = run(
        sys.executable, "-m", "locust", "-f", "load.py", "--headless", "-u4", "-r4",
        f"-t{seconds}s", "-H", address, "--only-summary")
    requests, failures, longest, rate = re.search(
        r"Aggregated +(\d+) +(\d+)\(.*?\| +\d+ +\d+ +(\d+) +\d+ \| +([\d.]+)", text).groups()
    rates[kind] = float(rate) * seconds / 40
    return arrived, int(requests), int(failures), code, int(longest) / 1000


rates = {}
for command in (["wrk", "-v"], ["h2load", "--version"]):
    text = subprocess.run(
        [programs / command[0], *command[1:]], env=libraries, capture_output=True, text=True).stdout
    print(text.splitlines()[0][:30])
print(subprocess.run([sys.executable, "-m", "locust", "--version"], capture_output=True, text=True)
      .stdout.split(" from")[0])
changed = False
for name, play in (
    ("wrk", wrk), ("h2load", h2load),
    ("locust, HttpUser", lambda seconds: locust("HttpUser", seconds)),
    ("locust, FastHttpUser", lambda seconds: locust("FastHttpUser", seconds)),
):
    for seconds in (5, 20, 60):  # A busy machine may not get to the 40th request in five.
        *counts, longest = play(seconds)
        if counts[0] == 44:
            break
    changed |= counts != [44, 40, 0, 0] or longest >= 4
    print("{}: {} arrived, {} requests, {} errors, exit code {}".format(name, *counts),
          f"- longest or p99 {longest:.3f} s")
print("locust's requests/s, as multiples of those that there were:",
      *(f"{rate:.2f}" for rate in rates.values()))
raise SystemExit(changed or min(rates.values()) <= 1.5)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"

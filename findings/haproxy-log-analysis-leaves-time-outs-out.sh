#!/bin/bash
# haproxy_log_analysis 6.0.0 reading HAProxy 2.6.12: a request that was too slow for the proxy is
# not a slow request, and the longer servers hang the better is the average.
#
# HAProxy writes -1 for a time that did not come to its end, so for the Tr of a request that ran
# into `timeout server`. The commands slow_requests, slow_requests_counter and
# average_response_time, and the filter slow_requests, compare that number with theirs and leave the
# line out, of the count as well. Their documents have "all requests that are considered slow" and a
# "global average". So an hour in which half of the calls hang has the average of the other half,
# and with a time-out below the threshold of 1 s no request is ever slow. The line's last time,
# which has the seconds, is read and used by no command.
#
# Expected below, of four calls of 0.1 s, two of 1.2 s and four that hang until the time-out of 2 s:
# 10 lines, 4 of them with 504, -1 and at least 1,900 ms in all; 2 slow requests, and an average of
# 450 to 900 ms, of the six others. Exits with 1 if that changes. Needs Debian 12 with apt-get,
# python3 and PyPI; nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download haproxy=2.6.12-1+deb12u4 liblua5.3-0 libopentracing1 \
    libopentracing-c-wrapper0 >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile haproxy_log_analysis==6.0.0
cat >"$folder/try.py" <<'PYTHON'
import http.client, http.server, json, os, pathlib, socket, subprocess, sys, threading, time

folder = pathlib.Path(sys.argv[1])
haproxy = str(folder / "root/usr/sbin/haproxy")
libraries = os.environ | {"LD_LIBRARY_PATH": str(next(folder.glob("root/usr/lib/*-linux-gnu")))}


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        time.sleep(float(self.path.rsplit("/", 1)[1]))
        try:
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")
        except OSError:
            pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
log = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
log.bind(("127.0.0.1", 0))
log.settimeout(10)
app = f"127.0.0.1:{server.server_port}"
(folder / "conf").write_text(f"""
global
    log 127.0.0.1:{log.getsockname()[1]} local0
defaults
    mode http
    log global
    option httplog
    timeout connect 5s
    timeout client 30s
    timeout server 2s
frontend front
    bind 127.0.0.1:{port}
    default_backend app
backend app
    server one {app}
""")


def ask(path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    connection.getresponse().read()
    connection.close()


def analysed(command):
    done = subprocess.run(
        [folder / "venv/bin/haproxy_log_analysis", "-l", folder / "log", "-c", command, "--json"],
        check=True, capture_output=True, text=True)
    return json.loads(done.stdout[done.stdout.index("{"):])[command.upper()]


print(subprocess.run([haproxy, "-v"], env=libraries, capture_output=True, text=True).stdout
      .splitlines()[0])
process = subprocess.Popen([haproxy, "-f", folder / "conf"], env=libraries)
try:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    paths = ["/quick/0.1"] * 4 + ["/slow/1.2"] * 2 + ["/hangs/4"] * 4
    threads = [threading.Thread(target=ask, args=(path,)) for path in paths]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    lines = []
    while len(lines) < len(paths):
        line = log.recv(10_000).decode().strip()
        if '"GET ' in line:
            lines.append(line.split(">", 1)[1])
finally:
    process.terminate()
    process.wait()
(folder / "log").write_text("\n".join(lines) + "\n")
times = {}
for line in lines:
    fields = line.split()
    at = next(number for number, field in enumerate(fields) if field.startswith("app/"))
    times.setdefault(line.split("/")[-3], []).append((fields[at + 1], fields[at + 2]))
for name, seen in sorted(times.items()):
    print(f"HAProxy, {name}:", *(f"{parts} {status}" for parts, status in seen))
seen = {command: analysed(command) for command in (
    "counter", "status_codes_counter", "slow_requests_counter", "average_response_time")}
print("haproxy_log_analysis:", *(f"{name} {value}" for name, value in seen.items()), sep="\n")
hangs = [parts.split("/") + [status] for parts, status in times["hangs"]]
is_so = [(part[3], part[5]) for part in hangs] == [("-1", "504")] * 4
is_so &= all(int(part[4]) >= 1900 for part in hangs)
is_so &= seen["counter"] == 10 and seen["slow_requests_counter"] == 2
is_so &= {"504": 4} in seen["status_codes_counter"] and 450 < seen["average_response_time"] < 900
raise SystemExit(not is_so)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"

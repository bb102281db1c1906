#!/usr/bin/env bash
# HAProxy 2.6.12 and nginx 1.22.1, both with two requests a second: a client that repeats what was
# refused is served at that rate by nginx, and never again by HAProxy.
#
# The usual limit of HAProxy tracks the client in a stick table and denies by http_req_rate. The
# request is counted when it is tracked, so before it is denied: a refusal is a request of the rate.
# A client that retries faster than the limit, by a timer or with its other calls, keeps itself out
# for as long as it tries, and one of several that share an address keeps all of them out.
# limit_req of nginx does not count what it refuses. So the same retry policy, tested behind one of
# them, is a pause there and an outage behind the other. With src_http_req_rate in front of the rule
# that tracks, HAProxy counts what it serves, too.
#
# Expected below, of 80 requests a tenth of a second apart, each refusal followed by the next: with
# HAProxy at most 12 are served and none of the last 50; with its rules in the other order, and with
# nginx, at least 5 of the last 50 are; after four seconds of silence all serve again. Exits with 1
# if that changes. Needs Debian 12 with apt-get and python3; nothing is installed, everything stays
# in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download haproxy=2.6.12-1+deb12u4 liblua5.3-0 libopentracing1 \
    libopentracing-c-wrapper0 nginx=1.22.1-9+deb12u11 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import http.client, http.server, os, pathlib, socket, subprocess, sys, threading, time
from concurrent.futures import ThreadPoolExecutor

folder = pathlib.Path(sys.argv[1])
nginx, haproxy = str(folder / "root/usr/sbin/nginx"), str(folder / "root/usr/sbin/haproxy")
libraries = os.environ | {"LD_LIBRARY_PATH": str(next(folder.glob("root/usr/lib/*-linux-gnu")))}


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
app = f"127.0.0.1:{server.server_port}"
ports = []
for _ in range(3):
    with socket.create_server(("127.0.0.1", 0)) as free:
        ports.append(free.getsockname()[1])
TRACK = "http-request track-sc0 src"
DENY = "http-request deny deny_status 429 if { %s gt %d }"
for number, rules in enumerate([
    (TRACK, DENY % ("sc_http_req_rate(0)", 6)), (DENY % ("src_http_req_rate", 5), TRACK)
]):
    (folder / f"haproxy{number}.conf").write_text(f"""
defaults
    mode http
    timeout connect 5s
    timeout client 30s
    timeout server 30s
frontend front
    bind 127.0.0.1:{ports[number]}
    stick-table type ip size 1k expire 60s store http_req_rate(3s)
    {rules[0]}
    {rules[1]}
    default_backend app
backend app
    server one {app}
""")
(folder / "nginx.conf").write_text(f"""
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error; events {{ }}
http {{
    access_log off;
    limit_req_zone $binary_remote_addr zone=clients:1m rate=2r/s;
    server {{
        listen 127.0.0.1:{ports[2]};
        location / {{
            limit_req zone=clients burst=5 nodelay; limit_req_status 429; proxy_pass http://{app};
        }}
    }}
}}""")


def ask(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/")
    status = connection.getresponse().status
    connection.close()
    return status


def play(command, port):
    process = subprocess.Popen(command, env=libraries)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        seen = []
        for _ in range(80):
            seen.append(ask(port))
            time.sleep(0.1)
        time.sleep(4)
        return seen.count(200), seen[-50:].count(200), set(seen), ask(port)
    finally:
        process.terminate()
        process.wait()


print(subprocess.run([haproxy, "-v"], env=libraries, capture_output=True, text=True).stdout
      .splitlines()[0])
print(subprocess.run([nginx, "-v"], capture_output=True, text=True).stderr.strip())
commands = {
    "HAProxy, track and deny": [haproxy, "-f", folder / "haproxy0.conf"],
    "HAProxy, deny and track": [haproxy, "-f", folder / "haproxy1.conf"],
    "nginx": [nginx, "-p", folder, "-e", folder / "error", "-c", folder / "nginx.conf"]}
with ThreadPoolExecutor() as pool:
    seen = list(pool.map(play, commands.values(), ports))
for name, (served, late, _, after) in zip(commands, seen):
    print(f"{name}: {served} of 80 served, {late} of the last 50; after 4 s of silence {after}")
is_so = seen[0][0] <= 12 and seen[0][1] == 0 and all(late >= 5 for _, late, _, _ in seen[1:])
raise SystemExit(not is_so or any((run[2], run[3]) != ({200, 429}, 200) for run in seen))
PYTHON
python3 "$folder/try.py" "$folder"

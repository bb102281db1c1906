#!/bin/bash
# nginx 1.22.1, mirror: a copy of the traffic for a load test slows the users down to the speed of
# the server under test, from the second request of each connection on.
#
# The module makes a background request of each one, and its page says that "responses to mirror
# subrequests are ignored". They are, but the request counts as under way until the last of them is
# over: on a kept connection the next one of the client is not read before, although the response
# has arrived. So users of a new version's shadow wait as long as it takes for its response, up to
# proxy_read_timeout, a minute, where it hangs; the first request of a connection, which a health
# check or curl makes, is as quick as ever. The log has the time of the copy as $request_time of a
# request whose client had its response at once, and the wait of the next one nowhere.
#
# Expected below, of four requests on one connection with a copy that takes 1 s: the first takes
# less than 0.5 s, each other one more than 0.8 s; of four on connections of their own none takes
# 0.5 s; $request_time is more than 0.8 s in all eight lines, $upstream_response_time of the server
# less than 0.5 s. Without the mirror each takes less than 0.5 s. Exits with 1 if that changes.
# Needs Debian 12 with apt-get and python3; nothing is installed, everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download nginx=1.22.1-9+deb12u11 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import http.client, http.server, pathlib, socket, subprocess, sys, threading, time

folder = pathlib.Path(sys.argv[1])
nginx = folder / "root/usr/sbin/nginx"


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_): pass

    def do_GET(self):
        time.sleep(self.server.seconds)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")


def listen(seconds):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.seconds = seconds
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"127.0.0.1:{server.server_port}"


with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
app, copy = listen(0), listen(1)
(folder / "conf").write_text(f"""
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error; events {{ }}
http {{
    log_format timed '$request_uri $request_time $upstream_response_time';
    access_log {folder}/log timed;
    server {{
        listen 127.0.0.1:{port};
        location /copied {{ mirror /mirror; proxy_pass http://{app}; }}
        location /alone {{ proxy_pass http://{app}; }}
        location = /mirror {{ internal; proxy_pass http://{copy}$request_uri; }}
    }}
}}""")


def times(path, keeps):
    connection, seen = http.client.HTTPConnection("127.0.0.1", port, timeout=60), []
    for _ in range(4):
        begun = time.monotonic()
        connection.request("GET", path)
        assert connection.getresponse().read() == b"{}"
        seen.append(time.monotonic() - begun)
        if not keeps:
            connection.close()
    connection.close()
    return seen


print(subprocess.run([nginx, "-v"], capture_output=True, text=True).stderr.strip())
server = subprocess.Popen([nginx, "-p", folder, "-e", folder / "error", "-c", folder / "conf"])
try:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    kept, single, alone = times("/copied/kept", True), times("/copied/single", False), \
        times("/alone", True)
    time.sleep(2)
finally:
    server.terminate()
    server.wait()
for name, seen in (("one connection", kept), ("one connection each", single),
                   ("one connection, not mirrored", alone)):
    print(f"{name}:", *(f"{seconds:.2f}" for seconds in seen), "s")
lines = [line.split() for line in (folder / "log").read_text().splitlines()]
copied = [line for line in lines if line[0].startswith("/copied")]
print("logged as $request_time:", *(line[1] for line in copied), "- as",
      "$upstream_response_time:", *(line[2] for line in copied))
is_so = kept[0] < 0.5 and min(kept[1:]) > 0.8 and max(single + alone) < 0.5
is_so &= len(copied) == 8 and all(
    float(line[1]) > 0.8 and float(line[2].strip(",")) < 0.5 for line in copied)
raise SystemExit(not is_so)
PYTHON
python3 "$folder/try.py" "$folder"

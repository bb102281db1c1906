#!/usr/bin/env bash
# nginx 1.22.1, proxy_cache_lock: who waits for another's response gets it in half seconds, and one
# after the other where it is not stored.
#
# The directive is there against a storm of equal requests: one asks the server, the others wait
# "for a response to appear in the cache or the cache lock for this element to be released".
# Nothing tells them when it does: each looks again after 500 ms. So with a server that takes 0.1 s
# all but the first wait five times as long. And where the response is private or a 401, one of
# them asks at each half second, up to proxy_cache_lock_timeout, 5 s: users of one address whose
# page is their own, or whose tokens have ended, queue at two a second while the server is idle and
# $upstream_response_time stays at 0.1 s.
#
# Expected below, of eight requests at one moment: a response that is stored takes one request to
# the server and the second user 0.4 s to 1.5 s; with a private one and a 401 all eight reach it
# and the last takes 3 s to 5.5 s; without the lock none takes 1.5 s. Exits with 1 if that changes.
# Needs Debian 12 with apt-get and python3; nothing is installed, everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download nginx=1.22.1-9+deb12u11 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
dpkg -x "$folder"/nginx_*.deb "$folder/root"
cat >"$folder/try.py" <<'PYTHON'
import http.server, pathlib, socket, subprocess, sys, threading, time, urllib.error, urllib.request
from concurrent.futures import ThreadPoolExecutor

folder = pathlib.Path(sys.argv[1])
nginx = [folder / "root/usr/sbin/nginx", "-p", folder, "-e", folder / "error"]


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64


class Handler(http.server.BaseHTTPRequestHandler):
    arrivals = []

    def do_GET(self):
        self.arrivals.append(self.path)
        time.sleep(0.1)
        self.send_response(401 if "401" in self.path else 200)
        if "private" in self.path:
            self.send_header("Cache-Control", "private")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_): pass


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
places = "".join(f"""location /{lock}/ {{ proxy_cache_lock {lock}; proxy_cache z;
    proxy_cache_valid 200 1m; proxy_pass http://127.0.0.1:{server.server_port}; }}"""
                 for lock in ("on", "off"))
(folder / "conf").write_text(f"""daemon off; user root; worker_processes 1;
pid {folder}/pid; events {{ }}
http {{ access_log off; proxy_cache_path {folder}/cache keys_zone=z:1m;
server {{ listen 127.0.0.1:{port}; {places} }} }}""")


def ask(path):
    began = time.monotonic()
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30).read()
    except urllib.error.HTTPError as refusal:
        assert refusal.code == 401 and path.endswith("401"), refusal
    return time.monotonic() - began


print(subprocess.run([nginx[0], "-v"], capture_output=True, text=True).stderr.strip())
proxy = subprocess.Popen([*nginx, "-c", folder / "conf"])
good = True
try:
    time.sleep(1)
    for lock in ("on", "off"):
        for kind in ("stored", "private", "401"):
            Handler.arrivals.clear()
            with ThreadPoolExecutor(8) as pool:
                times = sorted(pool.map(ask, [f"/{lock}/{kind}"] * 8))
            count = len(Handler.arrivals)
            print(f"lock {lock}, {kind}: {count} reach the server, seconds",
                  *(f"{time:.1f}" for time in times))
            if lock == "off":
                good &= times[-1] < 1.5
            elif kind == "stored":
                good &= count == 1 and 0.4 < times[1] < 1.5
            else:
                good &= count == 8 and 3 < times[-1] < 5.5
finally:
    proxy.terminate()
    proxy.wait()
raise SystemExit(0 if good else 1)
PYTHON
python3 "$folder/try.py" "$folder"

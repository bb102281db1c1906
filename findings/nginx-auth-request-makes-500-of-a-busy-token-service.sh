#!/bin/bash
# nginx 1.22.1, auth_request: when the service that checks tokens asks for a pause, users get 500,
# without the pause.
#
# auth_request asks another service before each request of the API. 401 and 403 of it are handed on;
# its page has "any other response code" as an error. So its 429 and 503, both with Retry-After, are
# a 500 for the client: not "later", but "broken". A client that waits as told when it is told
# repeats at once or gives up, and raises an alarm for the API, which has not been asked; in the
# access log it is a 500 of the API's address, in the error log "unexpected status". A Retry-After
# that comes with a 401 or a 403 is gone as well. forward_auth of Caddy 2.6.2, for the same
# arrangement, hands on status and header.
#
# Expected below, of a service for tokens that answers 200, 401, 429 and 503, all but the first with
# Retry-After of 30 s: nginx answers 200, 401, 500 and 500, without the header, Caddy 200, 401, 429
# and 503 with it; the API is asked once by each. Exits with 1 if that changes. Needs Debian 12 with
# apt-get and python3; nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download nginx=1.22.1-9+deb12u11 caddy=2.6.2-5 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import http.server, os, pathlib, socket, subprocess, sys, threading, time, urllib.error
import urllib.request

folder = pathlib.Path(sys.argv[1])
nginx, caddy = folder / "root/usr/sbin/nginx", folder / "root/usr/bin/caddy"
state = {"status": 200, "asked": 0}


class Tokens(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        self.send_response(state["status"])
        if state["status"] != 200:
            self.send_header("Retry-After", "30")
        self.send_header("Content-Length", "0")
        self.end_headers()


class API(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        state["asked"] += 1
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()


def listen(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"127.0.0.1:{server.server_port}"


def ask(port):
    try:
        response = urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30)
    except urllib.error.HTTPError as refusal:
        response = refusal
    return response.status, response.headers["Retry-After"]


tokens, api, ports = listen(Tokens), listen(API), []
for _ in range(2):
    with socket.create_server(("127.0.0.1", 0)) as free:
        ports.append(free.getsockname()[1])
(folder / "conf").write_text(f"""
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error; events {{ }}
http {{
    access_log off;
    server {{
        listen 127.0.0.1:{ports[0]};
        location / {{ auth_request /check; proxy_pass http://{api}; }}
        location = /check {{
            internal; proxy_pass http://{tokens}; proxy_pass_request_body off;
            proxy_set_header Content-Length "";
        }}
    }}
}}""")
(folder / "Caddyfile").write_text(f"""{{
    admin off
    auto_https off
}}
http://127.0.0.1:{ports[1]} {{
    forward_auth {tokens} {{
        uri /check
    }}
    reverse_proxy {api}
}}
""")
print(subprocess.run([nginx, "-v"], capture_output=True, text=True).stderr.strip(), "- Caddy",
      subprocess.run([caddy, "version"], capture_output=True, text=True).stdout.strip())
servers = [
    subprocess.Popen([nginx, "-p", folder, "-e", folder / "error", "-c", folder / "conf"]),
    subprocess.Popen([caddy, "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"],
                     stderr=subprocess.DEVNULL, env=os.environ | {"HOME": str(folder)})]
try:
    for port in ports:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
    seen = []
    for name, port in zip(("nginx", "Caddy"), ports):
        state["asked"], responses = 0, []
        for state["status"] in (200, 401, 429, 503):
            responses.append(ask(port))
        seen.append((responses, state["asked"]))
        print(f"{name}:", *(f"{status} (Retry-After {after})" for status, after in responses),
              f"- the API was asked {state['asked']} times")
finally:
    for server in servers:
        server.terminate()
        server.wait()
raise SystemExit(seen != [
    ([(200, None), (401, None), (500, None), (500, None)], 1),
    ([(200, None), (401, "30"), (429, "30"), (503, "30")], 1)])
PYTHON
python3 "$folder/try.py" "$folder"

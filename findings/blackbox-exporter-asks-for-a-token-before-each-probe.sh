#!/bin/bash
# prometheus-blackbox-exporter 0.23.0 with oauth2: each probe asks for a token of its own, and a
# token endpoint that is busy shows as an API that is down.
#
# The exporter makes a client for each probe, and the token belongs to the client: tokens of an hour
# are used once. Ten targets every 15 s are 57,600 tokens a day, which the token endpoint has to
# sign and often to store. The request for it is in no phase of probe_http_duration_seconds, but in
# probe_duration_seconds and in the time-out: an endpoint that takes 0.5 s makes each probe slower
# by that, and one that answers 429 makes probe_success 0 for all targets behind it, while none of
# them was asked. CONFIGURATION.md says that the exporter fetches an access token, and not how
# often.
#
# Expected below, of four probes in a row: 4 tokens, 4 calls, success; with an endpoint that takes
# 0.5 s probe_duration_seconds is more than 0.4 s and the sum of the phases less; with one that
# answers 429: success 0 four times, 4 requests for a token, and no call. Exits with 1 if that
# changes. The server is on this machine; needs Debian 12 with apt-get and python3; nothing is
# installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download prometheus-blackbox-exporter=0.23.0-4+b4 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, pathlib, re, socket, subprocess, sys, threading, time, urllib.request

folder = pathlib.Path(sys.argv[1])
exporter = folder / "root/usr/bin/prometheus-blackbox-exporter"


class Server(http.server.BaseHTTPRequestHandler):
    status, seconds, tokens, calls = 200, 0, 0, 0

    def log_message(self, *_): pass

    def respond(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        Server.tokens += 1
        time.sleep(self.seconds)
        self.respond(self.status, {
            "access_token": "t", "token_type": "bearer", "expires_in": 3600})

    def do_GET(self):
        Server.calls += self.headers["Authorization"] == "Bearer t"
        self.respond(200, {})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
(folder / "conf.yml").write_text(f"""
modules:
  api:
    prober: http
    timeout: 10s
    http:
      preferred_ip_protocol: ip4
      oauth2:
        client_id: probe
        client_secret: secret
        token_url: {address}/token
""")


def figure(text, name):
    return sum(float(value) for value in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.M))


def probes(status, seconds):
    Server.status, Server.seconds, Server.tokens, Server.calls = status, seconds, 0, 0
    texts = [urllib.request.urlopen(
        f"http://127.0.0.1:{port}/probe?module=api&target={address}/items", timeout=60
    ).read().decode() for _ in range(4)]
    return (Server.tokens, Server.calls, [int(figure(text, "probe_success")) for text in texts],
            min(figure(text, "probe_duration_seconds") for text in texts),
            max(figure(text, "probe_http_duration_seconds") for text in texts))


print(subprocess.run([exporter, "--version"], capture_output=True, text=True).stdout.split("(")[0])
process = subprocess.Popen(
    [exporter, f"--config.file={folder}/conf.yml", f"--web.listen-address=127.0.0.1:{port}"],
    stderr=subprocess.DEVNULL)
try:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    quick, slow, busy = probes(200, 0), probes(200, 0.5), probes(429, 0)
finally:
    process.terminate()
    process.wait()
for name, (tokens, calls, success, total, phases) in (
        ("at once", quick), ("after 0.5 s", slow), ("429", busy)):
    print(f"token endpoint answers {name}: {tokens} tokens asked for, {calls} calls,",
          f"probe_success {success}, shortest probe {total:.2f} s, longest sum of its phases",
          f"{phases:.2f} s")
is_so = quick[:3] == slow[:3] == (4, 4, [1] * 4) and busy[:3] == (4, 0, [0] * 4)
raise SystemExit(not is_so or not slow[3] > 0.4 > slow[4])
PYTHON
python3 "$folder/try.py" "$folder"

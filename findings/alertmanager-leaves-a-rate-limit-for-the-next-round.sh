#!/bin/bash
# prometheus-alertmanager 0.25.0 (Debian 12), webhook: an alert that met a 503 is sent again within
# a second, one that met a 429 when its group comes round again, and one whose token was revoked not
# before the token's end.
#
# The notifier repeats what was answered 5xx, after half a second and more. Each other refusal is
# "unrecoverable", 429 and 408 too, and Retry-After is not read: the alert waits for the next round
# of its group, group_interval later, five minutes by itself, and one that is over by then is not
# sent at all. So of the many alerts of an outage those come late, or never, that the receiver asked
# to wait a second for. With oauth2 a 401 does not drop the token: where its issuer has a new key,
# each round fails until the hour that the token states is over.
#
# Expected below, with a group_interval of 6 s and an answer of 200 after the first: the second
# request after less than 2 s for 500 and 503, after 5 to 8 s for 429 and 408; with a token that is
# revoked three requests with that one token within 14 s, and 1 request for a token. Exits with 1 if
# that changes. The server is on this machine; needs Debian 12 with apt-get and python3; nothing is
# installed, everything stays in a temporary folder.
set -euo pipefail
# As long as the folder of templates that is in the program, whose place this one takes.
folder=$(mktemp -d /tmp/alertmanager-XXXXXXXXXXXXXXXX)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -q download prometheus-alertmanager=0.25.0-1+b4 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
dpkg -x "$folder"/*.deb "$folder/root"
cp "$folder"/root/usr/share/prometheus/alertmanager/*.tmpl "$folder"
sed -i "s#/usr/share/prometheus/alertmanager#$folder#g" \
    "$folder/root/usr/bin/prometheus-alertmanager"
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, pathlib, socket, subprocess, sys, threading, time, urllib.request

folder = pathlib.Path(sys.argv[1])
arrived = {name: [] for name in ("500", "503", "408", "429", "oauth", "token")}


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        name = self.path[1:]
        status = {"token": 200, "oauth": 401}.get(name) or (200 if arrived[name] else int(name))
        arrived[name].append((time.monotonic(), self.headers["Authorization"]))
        body = json.dumps({"access_token": "revoked", "token_type": "bearer", "expires_in": 3600})
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Retry-After", "1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
names = list(arrived)[:-1]
oauth = {"oauth2": {"client_id": "c", "client_secret": "s", "token_url": address + "/token"}}
(folder / "config.yml").write_text(json.dumps({
    "route": {"receiver": "503", "group_by": ["service"], "group_wait": "0s",
              "group_interval": "6s", "routes": [
                  {"receiver": name, "matchers": [f'service="{name}"']} for name in names]},
    "receivers": [{"name": name, "webhook_configs": [{
        "url": f"{address}/{name}", "http_config": oauth if name == "oauth" else {}}]}
        for name in names]}))
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
program = folder / "root/usr/bin/prometheus-alertmanager"
print(subprocess.check_output([program, "--version"], text=True).split(" (")[0])
process = subprocess.Popen([
    program, f"--config.file={folder}/config.yml", f"--storage.path={folder}/data",
    f"--web.listen-address=127.0.0.1:{port}", "--cluster.listen-address="],
    stderr=open(folder / "log", "w"))
try:
    alerts = [{"labels": {"alertname": "Down", "service": name}} for name in names]
    for _ in range(100):
        try:
            urllib.request.urlopen(urllib.request.Request(
                f"http://127.0.0.1:{port}/api/v2/alerts", json.dumps(alerts).encode(),
                {"Content-Type": "application/json"}))
            break
        except OSError:
            time.sleep(0.1)
    time.sleep(14)
finally:
    process.terminate()
    process.wait()
second = {name: arrived[name][1][0] - arrived[name][0][0] for name in names}
for name in names:
    print(f"{name}: {len(arrived[name])} requests, the second after {second[name]:.1f} s")
print(f"tokens asked for: {len(arrived['token'])}")
raise SystemExit(not (
    second["500"] < 2 and second["503"] < 2 and 5 < second["429"] < 8 and 5 < second["408"] < 8
    and [token for _, token in arrived["oauth"]] == ["Bearer revoked"] * 3
    and len(arrived["token"]) == 1))
PYTHON
python3 "$folder/try.py" "$folder"

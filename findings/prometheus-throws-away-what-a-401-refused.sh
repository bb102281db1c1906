#!/bin/bash
# prometheus 2.42.0 (Debian 12), remote_write: samples that meet a 401 or a 429 are thrown away,
# those that meet a 503 are kept and sent again; and with oauth2 a token that was revoked is sent
# until its stated end.
#
# The queue repeats what was answered 5xx, for as long as the log on disk goes back, two hours. Each
# 4xx is final for the batch: it is counted in samples_failed_total, and the next batch is sent. So
# an outage of the store costs nothing, while an ended token, a key that was rotated a minute too
# early or a rate limit that asks for a second each leave a hole in all graphs, also in those of the
# hour that one wants to look at. oauth2 asks for a token when the old one ends by its expires_in; a
# 401 does not drop it. Where its issuer has a new key, an hour of samples goes, with a token
# endpoint that is well and is not asked. retry_on_http_429 is there, off by itself, and nothing of
# that kind for 401. A gateway in front of a store should say 503 where it cannot check a token.
#
# Expected below, of stores that refuse for 8 s: samples that failed and were retried: with 401, 429
# and 404 more than 500 and 0, with 503 0 and more than 500; with a token that is revoked after 3 s
# more than 500 and 0, all requests after that refused, and 1 request for a token. Exits with 1 if
# that changes. The server is on this machine; needs Debian 12 with apt-get and python3; nothing is
# installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -q download prometheus=2.42.0+ds-5+deb12u1 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
dpkg -x "$folder"/*.deb "$folder/root"
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, pathlib, re, socket, subprocess, sys, threading, time, urllib.request

folder = pathlib.Path(sys.argv[1])
program = folder / "root/usr/bin/prometheus"
names = ["401", "404", "429", "503", "oauth"]
statuses, first = {name: [] for name in [*names, "token"]}, []


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        first.append(time.monotonic())  # the age counts from the first request on
        name, age, body = self.path[1:], first[-1] - first[0], b""
        if name == "token":
            status = 200
            body = b'{"access_token": "a", "token_type": "bearer", "expires_in": 3600}'
        elif name == "oauth":
            status = 200 if age < 3 else 401
        else:
            status = int(name) if age < 8 else 200
        statuses[name].append(status)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Retry-After", "1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
with socket.create_server(("127.0.0.1", 0)) as free:
    own = f"127.0.0.1:{free.getsockname()[1]}"
stores = [{"name": name, "url": f"{base}/{name}", "queue_config": {"batch_send_deadline": "1s"}}
          for name in names]
stores[-1]["oauth2"] = {"client_id": "c", "client_secret": "s", "token_url": base + "/token"}
(folder / "config.yml").write_text(json.dumps({
    "global": {"scrape_interval": "1s"}, "remote_write": stores,
    "scrape_configs": [{"job_name": "own", "static_configs": [{"targets": [own]}]}]}))


def count(kind, name):
    found = re.search(rf'prometheus_remote_storage_samples_{kind}_total{{remote_name="{name}".*}} '
                      r"(\S+)", metrics)
    return int(float(found[1]))


print(subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split(" (")[0])
process = subprocess.Popen(
    [program, f"--config.file={folder}/config.yml", f"--storage.tsdb.path={folder}/data",
     f"--web.listen-address={own}"], stderr=open(folder / "log", "w"))
try:
    time.sleep(20)
    with urllib.request.urlopen(f"http://{own}/metrics") as response:
        metrics = response.read().decode()
finally:
    process.terminate()
    process.wait()
changed = len(statuses["token"]) != 1 or statuses["oauth"][-1] != 401
for name in names:
    failed, retried = count("failed", name), count("retried", name)
    print(f"{name}: {failed} samples thrown away, {retried} sent again,",
          f"{len(statuses[name])} requests, the last {statuses[name][-1]}")
    kept = name == "503"
    changed |= not ((failed == 0 and retried > 500) if kept else (failed > 500 and retried == 0))
print("tokens asked for:", len(statuses["token"]))
raise SystemExit(changed)
PYTHON
python3 "$folder/try.py" "$folder"

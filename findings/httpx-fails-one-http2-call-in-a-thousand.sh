#!/usr/bin/env bash
# httpx 0.28.1 and httpx2 2.16.2 over HTTP/2, nginx 1.22.1 as it is: one call in a thousand fails.
#
# nginx ends a connection after keepalive_requests, 1,000 by itself: it sends GOAWAY and then still
# the last response. h2 4.4.1, which both clients use, takes GOAWAY for the end of everything, and
# the response behind it raises "Invalid input ConnectionInputs.RECV_HEADERS in state
# ConnectionState.CLOSED". RFC 9113, 6.8, has GOAWAY for the opposite: streams up to its number go
# on. The server has done the work and logs 200; an app that repeats such a call does it twice. With
# many calls at once all those under way fail with it. curl meets the same GOAWAY and gets each
# response.
#
# Expected below, of 2,500 POSTs one after the other: 2 fail with each of the clients, the 1,000th
# and the 2,000th, none with curl; nginx logs 2,500 of each with status 200.
# Exits with 1 if that changes. Needs Debian 12 with apt-get, curl, openssl, python3 and PyPI;
# nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download nginx=1.22.1-9+deb12u11 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
dpkg -x "$folder"/nginx_*.deb "$folder/root"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install httpx==0.28.1 httpx2==2.16.2 h2==4.4.1
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 2 -out "$folder/public" \
    -keyout "$folder/own.pem" 2>"$folder/openssl.txt"
cat "$folder/public" >>"$folder/own.pem"
cat >"$folder/try.py" <<'PYTHON'
import pathlib, socket, subprocess, sys, time
from importlib.metadata import version

import httpx, httpx2

folder = pathlib.Path(sys.argv[1])
nginx = [folder / "root/usr/sbin/nginx", "-p", folder, "-e", folder / "error"]
count = 2500
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
url = f"https://127.0.0.1:{port}/"
(folder / "conf").write_text(f"""daemon off; worker_processes 1; pid {folder}/pid; events {{ }}
http {{ log_format short "$request_method $status"; access_log {folder}/log short;
server {{ listen 127.0.0.1:{port} ssl http2;
ssl_certificate {folder}/own.pem; ssl_certificate_key {folder}/own.pem;
location / {{ return 200 "ok"; }} }} }}""")


def by(library):
    with library.Client(http2=True, verify=False) as client:
        for number in range(1, count + 1):
            try:
                yield client.post(url, content=b"").status_code
            except library.TransportError as error:
                print(f"{number}: {type(error).__name__}: {error}")
                yield None


def by_curl():
    end = subprocess.run(
        ["curl", "-sk", "-d", "", "-o", folder / "out", "-w",
         "%{http_code} %{http_version}\n", url + f"[1-{count}]"], capture_output=True, text=True)
    yield from (200 if line == "200 2" else None for line in end.stdout.splitlines())


print(subprocess.run([nginx[0], "-v"], capture_output=True, text=True).stderr.strip(),
      "h2", version("h2"))
server = subprocess.Popen([*nginx, "-c", folder / "conf"])
seen = {}
try:
    time.sleep(1)
    for name, ends in (("httpx", by(httpx)), ("httpx2", by(httpx2)), ("curl", by_curl())):
        (folder / "log").write_text("")
        ends = list(ends)
        time.sleep(0.5)
        logged = (folder / "log").read_text().count("POST 200")
        seen[name] = [number for number, end in enumerate(ends, 1) if end != 200], logged
        print(f"{name}: {len(ends)} sent, {len(seen[name][0])} failed,",
              f"nginx logged {logged} as 200")
finally:
    server.terminate()
    server.wait()
lost = ([1000, 2000], count)
raise SystemExit(seen != {"httpx": lost, "httpx2": lost, "curl": ([], count)})
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder"

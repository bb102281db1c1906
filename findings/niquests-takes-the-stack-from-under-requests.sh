#!/bin/bash
# niquests 3.21.2 beside requests 2.34.2: as soon as any package brings it into the environment,
# requests and all that is built on it send HTTP/2 by another urllib3; pip shows the old one, and to
# uninstall niquests or to install urllib3 again does not bring it back.
#
# niquests is made of urllib3-future, whose files take the place of the package urllib3, and a .pth
# file puts them there again, at the start of Python, when pip has written others. "pip list" and
# "pip check" see urllib3 2.8.0, as the lock file has it; what is imported is 2.25. It has HTTP/2,
# so on a day on which a dependency of a dependency moved to niquests, the clients of each cloud,
# tracker and token endpoint of that service change their protocol: limits of requests for each
# connection, GOAWAY at a restart, header names in lower case and the protocol in the access log are
# those of another client, with "python-requests/2.34.2" as its name. A fault of that is looked for
# in the server. To uninstall urllib3-future and then to install urllib3 by force brings it back.
#
# Expected below, of a session of requests and an nginx 1.22.1 that offers both: HTTP/1.1 before,
# HTTP/2.0 after niquests was installed, after it was uninstalled, and after urllib3 2.8.0 was
# installed by force; urllib3 2.8.0 by its metadata each time, 2.8.0 and then 2.25.904 as imported;
# "No broken requirements found."; 1.1 again after urllib3-future was uninstalled and urllib3
# installed by force. Exits with 1 if that changes. The server is on this machine; needs Debian 12
# with apt-get, openssl, python3 and PyPI; nothing is installed, everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -q download nginx=1.22.1-9+deb12u11 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
dpkg -x "$folder"/*.deb "$folder/root"
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$folder/key.pem" -out "$folder/cert.pem" \
    -subj /CN=localhost -addext subjectAltName=DNS:localhost -days 2 2>/dev/null
python3 -m venv "$folder/venv"
pip=$folder/venv/bin/pip
"$pip" -q install --no-compile requests==2.34.2 urllib3==2.8.0
cat >"$folder/ask.py" <<'PYTHON'
import sys
from importlib.metadata import version

import requests, urllib3

text = requests.Session().get(sys.argv[1], verify=sys.argv[2]).text
print(version("urllib3"), urllib3.__version__, text)
PYTHON
cat >"$folder/try.py" <<'PYTHON'
import pathlib, socket, subprocess, sys, time

folder = pathlib.Path(sys.argv[1])
python = folder / "venv/bin/python3"
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
(folder / "nginx.conf").write_text(f"""
daemon off; worker_processes 1; pid {folder}/pid; events {{ }}
http {{
    access_log off;
    server {{
        listen 127.0.0.1:{port} ssl http2;
        ssl_certificate {folder}/cert.pem;
        ssl_certificate_key {folder}/key.pem;
        location / {{ return 200 $server_protocol; }}
    }}
}}""")


def pip(*arguments):
    return subprocess.run([python, "-m", "pip", *arguments], check=True,
                          capture_output=True, text=True).stdout.strip()


FORCE = "install", "--no-compile", "--no-deps", "--force-reinstall", "urllib3==2.8.0"
steps = [("requests 2.34.2", ()),
         ("niquests installed", ("install", "--no-compile", "niquests==3.21.2",
                                 "urllib3-future==2.25.904")),
         ("niquests uninstalled", ("uninstall", "-y", "niquests")),
         ("urllib3 installed by force", FORCE),
         ("urllib3-future uninstalled", ("uninstall", "-y", "urllib3-future")),
         ("urllib3 installed by force", FORCE)]
nginx = folder / "root/usr/sbin/nginx"
process = subprocess.Popen(
    [nginx, "-p", folder, "-e", folder / "error", "-c", folder / "nginx.conf"])
try:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    seen = []
    for name, arguments in steps:
        if arguments:
            pip(*arguments)
        if name.startswith("urllib3-future"):
            continue  # now there is no urllib3 at all
        found = subprocess.run(
            [python, folder / "ask.py", f"https://localhost:{port}/", folder / "cert.pem"],
            check=True, capture_output=True, text=True).stdout.split()
        check = pip("check")
        print(f"{name}: urllib3 {found[0]} by pip, {found[1]} as imported, {found[2]};",
              check.strip())
        seen.append([*found, check.startswith("No broken requirements")])
finally:
    process.terminate()
    process.wait()
before, after = ["2.8.0", "2.8.0", "HTTP/1.1", True], ["2.8.0", "2.25.904", "HTTP/2.0", True]
raise SystemExit(seen != [before, after, after, after, before])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"

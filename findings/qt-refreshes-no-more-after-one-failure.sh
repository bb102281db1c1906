#!/bin/bash
# Qt 6.11 NetworkAuth (PyQt6-NetworkAuth 6.11.0), with autoRefresh: one refresh that fails is the
# last one, and the client goes on to call itself granted.
#
# QOAuth2AuthorizationCodeFlow refreshes by itself, some seconds before the end of a token, and sets
# its clock for the next time when a new token has come. A 503 or 429 brings none, so there is no
# next time: a second of trouble at the token endpoint, for an app that would have refreshed for
# weeks. The refresh token is good, and is not used again. The state goes back to Granted, the
# signal granted is sent once more, before requestFailed, token() is the token that ends in the next
# seconds, and each call that the app makes with it is refused. An app that shows by this state who
# is signed in shows that its user is. A timer of the app's own on requestFailed helps.
#
# Expected below, of tokens of 2 s, refreshed 1 s before their end, in 5.5 s: with a server that is
# well 3 requests or more and a new token; with 503 for the second request 2 requests, the first
# token, Granted, granted sent twice; the same with 429. Exits with 1 if that changes. The server is
# on this machine. Needs Debian 12 with apt-get, python3 and PyPI; nothing is installed, everything
# stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download libegl1 libgl1 libglvnd0 libglx0 libx11-6 libxau6 libxdmcp6 \
    libxcb1 libxkbcommon0 libfontconfig1 libfreetype6 libpng16-16 libdbus-1-3 libglib2.0-0 libbsd0 \
    libgssapi-krb5-2 libkrb5-3 libk5crypto3 libkrb5support0 libkeyutils1 libmd0 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile PyQt6==6.11.0 PyQt6-Qt6==6.11.2 \
    PyQt6-NetworkAuth==6.11.0 PyQt6-NetworkAuth-Qt6==6.11.2
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, threading
from importlib.metadata import version

from PyQt6.QtCore import QCoreApplication, QTimer, QUrl, qInstallMessageHandler
from PyQt6.QtNetworkAuth import QOAuth2AuthorizationCodeFlow

arrived = []


class Server(http.server.BaseHTTPRequestHandler):
    second = 200

    def log_message(self, *_): pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        arrived.append(self.path)
        status = self.second if len(arrived) == 2 else 200
        body = json.dumps({
            "access_token": f"token-{len(arrived)}", "token_type": "Bearer", "expires_in": 2,
            "refresh_token": "refresh"} if status == 200 else {}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
qInstallMessageHandler(lambda *_: None)
app = QCoreApplication([])


def play():
    arrived.clear()
    events = []
    client = QOAuth2AuthorizationCodeFlow()
    client.setClientIdentifier("client")
    client.setTokenUrl(QUrl(f"http://127.0.0.1:{server.server_port}/token"))
    client.setRefreshToken("refresh")
    client.setAutoRefresh(True)
    client.setRefreshLeadTime(1)
    client.granted.connect(lambda: events.append("granted"))
    client.requestFailed.connect(lambda _: events.append("requestFailed"))
    client.refreshTokens()
    QTimer.singleShot(5_500, app.quit)
    app.exec()
    client.setAutoRefresh(False)
    return len(arrived), client.token(), client.status().name, events


print("PyQt6-NetworkAuth", version("PyQt6-NetworkAuth"), "- Qt", version("PyQt6-NetworkAuth-Qt6"))
changed = False
for Server.second in (200, 503, 429):
    requests, token, status, events = play()
    print(f"{Server.second}: {requests} requests, {token}, {status};", *events)
    changed |= (requests < 3 or token == "token-1") if Server.second == 200 else (
        requests, token, status, events) != (
            2, "token-1", "Granted", ["granted", "granted", "requestFailed"])
raise SystemExit(changed)
PYTHON
LD_LIBRARY_PATH=$(echo "$folder"/root/usr/lib/*-linux-gnu) \
    "$folder/venv/bin/python3" "$folder/try.py"

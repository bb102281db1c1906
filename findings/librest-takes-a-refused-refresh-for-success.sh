#!/usr/bin/env bash
# librest 0.9.1 (C, Debian 12): refresh_access_token succeeds whatever the server responds.
#
# RestOAuth2Proxy reads a response of another status than 200 not at all and reports no error:
# rest_oauth2_proxy_refresh_access_token returns TRUE for a 400 invalid_grant and for a 503, as for
# a new token. A program that goes by it never learns that its session is over; its next call fails
# with "Access token is expired", without a request.
#
# Expected below: TRUE for 200, 400 and 503, and the old access token kept for the last two. Exits
# with 1 if that changes. The server is this script's own, on this machine. Needs Debian 12 with
# apt-get and python3; nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
version=0.9.1-6+deb12u1
mkdir "$folder/packages" "$folder/root"
(cd "$folder/packages" && apt-get -q download gir1.2-rest-1.0=$version librest-1.0-0=$version \
    python3-gi libgirepository-1.0-1 gir1.2-glib-2.0 gir1.2-soup-3.0 gir1.2-json-1.0 \
    libsoup-3.0-0 libjson-glib-1.0-0 libglib2.0-0 libpsl5 libnghttp2-14 libbrotli1 libsqlite3-0 \
    libxml2 libicu72 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libkrb5support0 libkeyutils1 \
    libffi8 libpcre2-8-0 >"$folder/apt.txt" 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/packages/*.deb; do dpkg -x "$package" "$folder/root"; done
libraries=$(dirname "$(find "$folder/root" -name 'librest-1.0.so.0')")
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, threading

import gi
gi.require_version("Rest", "1.0")
from gi.repository import GLib, Rest

RESPONSES = [(400, {"error": "invalid_grant"}), (503, {}), (200, {
    "access_token": "new", "refresh_token": "good", "token_type": "Bearer", "expires_in": 3600})]


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        status, value = response
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"
seen = []
for response in RESPONSES:
    proxy = Rest.OAuth2Proxy.new(
        url + "/authorize", url + "/token", "http://localhost/", "client", "secret", url)
    proxy.set_access_token("old")
    proxy.set_refresh_token("good")
    proxy.set_expiration_date(GLib.DateTime.new_now_utc())
    try:
        result = proxy.refresh_access_token()
    except GLib.Error as error:
        result = error.message
    seen.append((response[0], result, proxy.get_access_token()))
    print("librest 0.9.1:", *seen[-1])
raise SystemExit(seen != [(400, True, "old"), (503, True, "old"), (200, True, "new")])
PYTHON
GI_TYPELIB_PATH="$libraries/girepository-1.0" LD_LIBRARY_PATH="$libraries" \
    PYTHONPATH="$folder/root/usr/lib/python3/dist-packages" /usr/bin/python3 "$folder/try.py"

#!/usr/bin/env bash
# google-auth 2.63.0 and keystoneauth1 5.18.1 (Python): an upload that meets a 401 is sent again
# without its body, answered 200, and stored empty.
#
# AuthorizedSession, AuthorizedHttp and Session refresh after a 401 and send "the request" again
# with the same arguments. A file that was given as data is at its end by then, a generator is used
# up: the second request has no byte, and a server that takes it overwrites the object with nothing.
# The caller sees 200. Nothing is raised, and it happens only to the upload under which a token
# ended or was revoked. A form of requests (files=) arrives with the part and nothing in it. Their
# documents name neither case; requests itself, below two of them, puts a file back when it follows
# a redirect.
#
# Expected below, of 100,000 bytes to a server that refuses the first token: the bytes of each
# arrival and the last status; 100000 and 0 for a file and for a generator, twice 100000 for bytes,
# and for a file that requests sends twice by itself. Exits with 1 if that changes. The server is on
# this machine; needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install \
    google-auth==2.63.0 keystoneauth1==5.18.1 requests==2.34.2 urllib3==2.8.0 packaging==26.4
cat >"$folder/try.py" <<'PYTHON'
import http.server, io, json, threading
from importlib.metadata import version

import google.auth.transport.requests, google.auth.transport.urllib3, google.oauth2.credentials
import keystoneauth1.plugin, keystoneauth1.session
import requests

SIZE = 100_000
arrived = []


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_): pass

    def body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def respond(self, status, text=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_PUT(self):
        arrived.append(self.body().count(b"x"))
        if self.path == "/moved":
            self.respond(307, Location="/object")
        else:
            token = self.headers.get("X-Auth-Token") or self.headers.get("Authorization")
            self.respond(401 if token and token.endswith("old") else 200)

    def do_POST(self):
        self.body()
        token = {"access_token": "new", "expires_in": 3600, "token_type": "Bearer"}
        self.respond(200, json.dumps(token).encode(), **{"Content-Type": "application/json"})


class Plugin(keystoneauth1.plugin.BaseAuthPlugin):
    token = "old"

    def get_headers(self, session, **_):
        return {"X-Auth-Token": self.token}

    def invalidate(self):
        self.token = "new"
        return True


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"


def credentials():
    return google.oauth2.credentials.Credentials(
        "old", refresh_token="r", token_uri=address + "/token", client_id="c", client_secret="s")


def authorized_session(**body):
    session = google.auth.transport.requests.AuthorizedSession(credentials())
    return session.put(address + "/object", **body).status_code


def authorized_http(data):
    session = google.auth.transport.urllib3.AuthorizedHttp(credentials())
    return session.request("PUT", address + "/object", body=data).status


def keystone(data):
    session = keystoneauth1.session.Session(auth=Plugin())
    return session.put(address + "/object", data=data).status_code


def redirected(data):
    return requests.put(address + "/moved", data=data).status_code


def file(): return io.BytesIO(b"x" * SIZE)
def generator(): return (b"x" * 1000 for _ in range(SIZE // 1000))


for name in ("google-auth", "keystoneauth1", "requests", "urllib3"):
    print(name, version(name))
empty, whole = ([SIZE, 0], 200), ([SIZE, SIZE], 200)
changed = False
for name, send, expected in (
    ("AuthorizedSession, file", lambda: authorized_session(data=file()), empty),
    ("AuthorizedSession, generator", lambda: authorized_session(data=generator()), empty),
    ("AuthorizedSession, form", lambda: authorized_session(files={"part": file()}), empty),
    ("AuthorizedSession, bytes", lambda: authorized_session(data=b"x" * SIZE), whole),
    ("AuthorizedHttp, file", lambda: authorized_http(file()), empty),
    ("keystoneauth1, file", lambda: keystone(file()), empty),
    ("keystoneauth1, generator", lambda: keystone(generator()), empty),
    ("keystoneauth1, bytes", lambda: keystone(b"x" * SIZE), whole),
    ("requests, file, redirected", lambda: redirected(file()), whole),
):
    arrived.clear()
    status = send()
    changed |= (arrived, status) != expected
    print(f"{name}: bytes that arrived {arrived}, status {status}")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

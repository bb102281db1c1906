#!/bin/bash
# Authlib 1.9.10: as soon as any package brings httpx2 into the environment, its OAuth client is
# another one: an app no longer catches its errors, mocks no longer hold it, and weaviate-client
# 4.24.1 cannot sign in.
#
# authlib.integrations.httpx_client is made of httpx2 where that can be imported, and of httpx where
# it cannot. Which it is, a neighbour decides: pdm 2.29.4 brings httpx2 in, tomorrow a dependency of
# a dependency may. From then on a token endpoint that does not answer raises an error of httpx2:
# "except httpx.TransportError" around it, with the retry or the old token in its branch, is passed
# by, and the call fails. respx 0.23.1 goes on to mock httpx, so a test of the token endpoint sends
# its requests to the real address. weaviate-client hands time-outs of httpx to it, which is a
# TypeError at the first request. Nothing in the app was changed, the lock file has one more line.
#
# Expected below, in one environment without and then with httpx2 2.16.2: a refused connection is
# caught by "except httpx.ConnectError", then is not; a request that respx mocks does not reach the
# server, then does; weaviate-client connects, then raises. Exits with 1 if that changes. The server
# is on this machine; needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile Authlib==1.9.10 httpx==0.28.1 respx==0.23.1 \
    weaviate-client==4.24.1
cat >"$folder/try.py" <<'PYTHON'
import http.server, importlib.util, json, socket, sys, threading, warnings

warnings.simplefilter("ignore")
import httpx, respx, weaviate
from authlib.integrations.httpx_client import OAuth2Client

arrived = []


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def respond(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.respond({
            "/v1/.well-known/openid-configuration": {"href": f"{base}/idp", "clientId": "c"},
            "/idp": {"token_endpoint": f"{base}/token"},
        }.get(self.path, {"version": "1.34.0"}))

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        arrived.append(self.path)
        self.respond({"access_token": "real", "expires_in": 3600})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"


def fetch(address):
    return OAuth2Client("c", "s", grant_type="client_credentials").fetch_token(address)


with socket.create_server(("127.0.0.1", 0)) as free:
    closed = f"http://127.0.0.1:{free.getsockname()[1]}/token"
try:
    fetch(closed)
except httpx.ConnectError:
    is_caught = True
except Exception:
    is_caught = False
with respx.mock(assert_all_called=False) as mock:
    mock.post(f"{base}/token").respond(json={"access_token": "mocked", "expires_in": 3600})
    token = fetch(f"{base}/token")["access_token"]
try:
    weaviate.connect_to_local(
        host="127.0.0.1", port=server.server_port, skip_init_checks=True,
        auth_credentials=weaviate.auth.Auth.bearer_token(
            "a", expires_in=3600, refresh_token="r")).close()
    connected = "connects"
except Exception as error:
    while error.__context__:
        error = error.__context__
    connected = f"raises {type(error).__name__}"
print(f"httpx2: {importlib.util.find_spec('httpx2') is not None}; httpx.ConnectError catches:",
      f"{is_caught}; token: {token}, {len(arrived)} requests; weaviate-client {connected}")
raise SystemExit([is_caught, token, connected] != json.loads(sys.argv[1]))
PYTHON
"$folder/venv/bin/python3" -W ignore "$folder/try.py" '[true, "mocked", "connects"]'
"$folder/venv/bin/pip" -q install --no-compile httpx2==2.16.2
"$folder/venv/bin/python3" -W ignore "$folder/try.py" '[false, "real", "raises TypeError"]'

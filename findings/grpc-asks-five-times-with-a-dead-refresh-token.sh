#!/usr/bin/env bash
# grpcio 1.85.3 with google-auth 2.63.0: a refresh token that is dead for good looks like a backend
# that is down, and a retry policy for that sends it five times for each call.
#
# An AuthMetadataPlugin that raises, here google-auth's with the RefreshError of a 400
# invalid_grant, ends the call with StatusCode.UNAVAILABLE, the code of a lost connection, instead
# of UNAUTHENTICATED. So a user who has to sign in again is shown an outage, and the retryPolicy
# that examples and services use, of UNAVAILABLE, asks the plugin anew for each attempt: a storm at
# the token endpoint of requests that cannot succeed, of calls that never left the process. In the
# metrics of the client it is an error of the backend, which has seen nothing.
#
# Expected below, of one call with a refresh token that the endpoint refuses: UNAVAILABLE, and token
# requests and calls that arrive 1 and 0 without a policy, 5 and 0 with one of five attempts; with a
# good one 1 and 1 twice. Exits with 1 if that changes. Both servers are on this machine. Needs
# python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install grpcio==1.85.3 google-auth==2.63.0 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, logging, threading
from concurrent import futures
from importlib.metadata import version

import grpc
import google.auth.transport.grpc, google.auth.transport.requests, google.oauth2.credentials

logging.disable()
POLICY = {"methodConfig": [{"name": [{}], "retryPolicy": {
    "maxAttempts": 5, "initialBackoff": "0.05s", "maxBackoff": "0.05s", "backoffMultiplier": 1,
    "retryableStatusCodes": ["UNAVAILABLE"]}}]}
asked = arrived = 0


class Endpoint(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_POST(self):
        global asked
        asked += 1
        form = self.rfile.read(int(self.headers["Content-Length"]))
        good = b"refresh_token=good" in form
        body = json.dumps({"access_token": "t", "expires_in": 3600} if good else {
            "error": "invalid_grant", "error_description": "Token has been revoked."}).encode()
        self.send_response(200 if good else 400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Service(grpc.GenericRpcHandler):
    def service(self, details):
        def items(request, context):
            global arrived
            arrived += 1
            return b""
        return grpc.unary_unary_rpc_method_handler(items)


endpoint = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
threading.Thread(target=endpoint.serve_forever, daemon=True).start()
server = grpc.server(futures.ThreadPoolExecutor(4))
server.add_generic_rpc_handlers((Service(),))
port = server.add_secure_port("127.0.0.1:0", grpc.local_server_credentials())
server.start()


def call(refresh_token, options):
    global asked, arrived
    asked = arrived = 0
    credentials = google.oauth2.credentials.Credentials(
        None, refresh_token=refresh_token, client_id="c", client_secret="s",
        token_uri=f"http://127.0.0.1:{endpoint.server_port}/token")
    plugin = google.auth.transport.grpc.AuthMetadataPlugin(
        credentials, google.auth.transport.requests.Request())
    with grpc.secure_channel(f"127.0.0.1:{port}", grpc.composite_channel_credentials(
            grpc.local_channel_credentials(), grpc.metadata_call_credentials(plugin)),
            options=options) as channel:
        try:
            channel.unary_unary("/shop.Shop/Items")(b"", timeout=30)
            code = "OK"
        except grpc.RpcError as error:
            code = error.code().name
    return code, asked, arrived


for name in ("grpcio", "google-auth"):
    print(name, version(name))
seen = []
for token in ("dead", "good"):
    for options in ([], [("grpc.service_config", json.dumps(POLICY))]):
        seen.append(call(token, options))
        print(f"{token} refresh token, {'retry policy' if options else 'no policy'}:",
              "{}, {} token requests, {} calls arrived".format(*seen[-1]))
server.stop(None)
raise SystemExit(seen != [
    ("UNAVAILABLE", 1, 0), ("UNAVAILABLE", 5, 0), ("OK", 1, 1), ("OK", 1, 1)])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

#!/bin/bash
# singer-sdk 0.54.9 (Meltano taps): one failure of the token endpoint ends a sync, where the API may
# fail four times; and a limit of a minute ends it too, since Retry-After is not read.
#
# A request that is answered 429 or 5xx, or not at all, is sent again, up to five times in all, with
# pauses of 2, 4, 8 and 16 s and up to a second more. The token is put into the request before that
# begins, so a request for one is made once: a 503 or 429 is RuntimeError, a lost connection
# ConnectionError, and either is the end. A sync of six hours with tokens of an hour asks for six,
# in its midst, and begins anew from its last bookmark, or from the start. A 401 is fatal as well,
# without a new token. The five requests for a page take half a minute, so a limit that asks for 60
# s is not waited for; a tap can override backoff_wait_generator for that, and nothing for the
# token.
#
# Expected below, of a sync of three pages whose token ends after the first: with 503, 429 or a lost
# connection for the second token an error after 1 page, without a pause; with 503 four times for
# the second page 3 pages; with 429 and Retry-After: 60 for it 5 requests with pauses under 40 s in
# all, and an error; with a token that is revoked FatalAPIError and no second token. Exits with 1 if
# that changes. Pauses are noted and not slept; the server is on this machine; needs python3 and
# PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile singer-sdk==0.54.9 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import datetime, http.server, json, logging, threading, time
from importlib.metadata import version

from singer_sdk import RESTStream, Tap, authenticators, pagination, typing as th

logging.disable()
pauses, tokens = [], []
time.sleep = pauses.append
now = [datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)]
authenticators.utc_now = lambda: now[0]


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def respond(self, key, value):
        status = refused[key].pop(0) if refused.get(key) else 200
        if not status:
            return self.connection.close()
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Retry-After", "60")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        tokens.append(self.path)
        self.respond(f"token {len(tokens)}", {"access_token": "t", "expires_in": 3600})

    def do_GET(self):
        arrived.append(self.path[-1])
        self.respond(self.path[-1], [{"id": self.path[-1]}])
        if len(arrived) == 1:
            now[0] += datetime.timedelta(hours=2)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"


class Authenticator(authenticators.OAuthAuthenticator):
    oauth_request_body = {"grant_type": "client_credentials"}


class Pages(pagination.PageNumberPaginator):
    def has_more(self, response): return self.current_value < 3


class Items(RESTStream):
    name, path, url_base, authenticator = "items", "/items", base, None
    schema = th.PropertiesList(th.Property("id", th.StringType)).to_dict()

    def get_new_paginator(self): return Pages(1)

    def get_url_params(self, context, next_page_token): return {"page": next_page_token or 1}


class Example(Tap):
    name, config_jsonschema = "tap-example", th.PropertiesList().to_dict()

    def discover_streams(self): return [Items(self)]


print("singer-sdk", version("singer-sdk"))
seen = []
for name, failures in (
        ("well", {}), ("token 503", {"token 2": [503]}), ("token 429", {"token 2": [429]}),
        ("token lost", {"token 2": [0]}), ("page 503", {"2": [503] * 4}),
        ("page 429", {"2": [429] * 9}), ("revoked", {"1": [401]})):
    refused, arrived, tokens[:], pauses[:] = failures, [], [], []
    stream = Example(config={}).streams["items"]
    Items.authenticator = Authenticator(stream, auth_endpoint=base + "/token")
    got, end = 0, "complete"
    try:
        for _ in stream.request_records(None):
            got += 1
    except Exception as error:
        end = type(error).__name__
    waited = sum(pause for pause in pauses if pause > 0.1)
    seen.append((got, len(arrived), len(tokens), (waited > 0) + (waited > 40), end))
    print(f"{name}: {got} pages, {len(arrived)} requests, {len(tokens)} for a token,",
          f"{waited:.0f} s of pauses, {end}")
raise SystemExit(seen != [
    (3, 3, 2, 0, "complete"), (1, 1, 2, 0, "RuntimeError"), (1, 1, 2, 0, "RuntimeError"),
    (1, 1, 2, 0, "ConnectionError"), (3, 7, 2, 1, "complete"),
    (1, 6, 2, 1, "RetriableAPIError"), (0, 1, 1, 0, "FatalAPIError")])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

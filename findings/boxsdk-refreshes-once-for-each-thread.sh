#!/bin/bash
# boxsdk 10.18.0: eight threads whose token has ended send eight refreshes with one refresh token,
# and seven of the calls fail; version 3.14.0 of the same package sends one.
#
# Box takes a refresh token once. The hand-written versions of this package, up to 3, have a lock
# for it, and look whether the token that was refused is still the current one. The generated ones
# that came after have neither: should_retry() calls refresh_token() for each 401. The threads that
# come second are refused with invalid_grant, which is raised as the error of their calls, although
# the token of the first is in the storage by then and would have served them. There is no clock
# either: each end of a token is a round of refused calls.
#
# Expected below, of eight calls at one moment with an ended token, and a ninth: 8 refreshes, 1 of
# them taken, and 7 calls that raise with 10.18.0; 1 refresh and none with 3.14.0; the ninth is
# answered 200 by both. Exits with 1 if that changes. Pauses are not slept, the server is on this
# machine. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile boxsdk==10.18.0 requests==2.34.2
"$folder/venv/bin/pip" -q install --no-compile --target "$folder/old" \
    boxsdk==3.14.0 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, logging, sys, threading, time, urllib.parse
from concurrent.futures import ThreadPoolExecutor

logging.disable()
pause, time.sleep = time.sleep, lambda _: None
is_old = sys.argv[1] == "3.14.0"
USERS = 8
together, lock = threading.Barrier(USERS), threading.Lock()
current, refreshes, arrived = 0, [], threading.Semaphore(0)


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def respond(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.headers["Authorization"] == "Bearer ended":
            together.wait(30)
            return self.respond(401, {})
        self.respond(200, {"id": "1", "type": "user"})

    def do_POST(self):
        global current
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        arrived.release()
        for _ in range(200):  # up to two seconds, for refreshes that come at the same moment
            if arrived._value >= USERS:
                break
            pause(0.01)
        with lock:
            is_good = form["refresh_token"][0] == f"refresh-{current}"
            refreshes.append(is_good)
            if not is_good:
                return self.respond(400, {"error": "invalid_grant"})
            current += 1
            self.respond(200, {
                "access_token": f"access-{current}", "refresh_token": f"refresh-{current}",
                "expires_in": 3600, "token_type": "bearer"})


class Listener(http.server.ThreadingHTTPServer): request_queue_size = 50


server = Listener(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
if is_old:
    import boxsdk

    boxsdk.config.API.BASE_API_URL = address
    boxsdk.config.API.OAUTH2_API_URL = address + "/oauth2"
    client = boxsdk.Client(boxsdk.OAuth2(
        "id", "secret", access_token="ended", refresh_token="refresh-0"))
    call = lambda: client.user().get()
else:
    from box_sdk_gen import (
        AccessToken, BaseUrls, BoxClient, BoxOAuth, NetworkSession, OAuthConfig)

    auth = BoxOAuth(OAuthConfig(client_id="id", client_secret="secret"))
    auth.token_storage.store(AccessToken(access_token="ended", refresh_token="refresh-0"))
    client = BoxClient(auth, network_session=NetworkSession(base_urls=BaseUrls(
        base_url=address, upload_url=address, oauth_2_url=address + "/oauth2")))
    call = client.users.get_user_me


def outcome(_):
    try: return call() and "200"
    except Exception as error: return type(error).__name__


with ThreadPoolExecutor(USERS) as pool:
    ends = sorted(pool.map(outcome, range(USERS)))
ninth = outcome(None)
print(f"boxsdk {sys.argv[1]}: {len(refreshes)} refreshes, {refreshes.count(True)} taken;",
      ends.count("200"), "calls answered 200,", USERS - ends.count("200"), "raise",
      *sorted(set(ends) - {"200"}), "- the ninth:", ninth)
expected = (1, 1, 8, "200") if is_old else (8, 1, 1, "200")
raise SystemExit((len(refreshes), refreshes.count(True), ends.count("200"), ninth) != expected)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" 10.18.0
PYTHONPATH="$folder/old" "$folder/venv/bin/python3" "$folder/try.py" 3.14.0

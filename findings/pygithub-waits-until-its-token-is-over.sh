#!/bin/bash
# PyGithub 2.10.0 and spotipy 2.26.0: asked to wait for a rate limit, they wait, and then send the
# token that ended meanwhile.
#
# Both leave the waiting to urllib3's Retry, below the place where they put the token on a request:
# GithubRetry sleeps until X-RateLimit-Reset, up to an hour, spotipy as long as Retry-After says.
# What is sent after the pause is the request of before it, token included. Tokens of a GitHub
# installation and of Spotify live an hour. So the call that has waited longest is refused, "Bad
# credentials", which both raise as an error of the caller's; neither refreshes on a 401, although
# both would have refreshed in advance, by the clock, for a call that began then. A nightly job that
# meets its limit late in the life of a token fails after its pause, not before.
#
# Expected below, of a call with a token that is good for 25 min more, answered 403 or 429 with a
# pause of 30 min: 1 pause of 30 min, the second request has the token of the first and is refused
# with 401, and the next call gets a new token and 200; with a pause of 5 min 200 without a new
# token. Exits with 1 if that changes. Pauses move the script's clock and are not slept, the server
# is on this machine. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile \
    PyGithub==2.10.0 spotipy==2.26.0 requests==2.34.2 urllib3==2.8.0 time-machine==3.6.0
cat >"$folder/try.py" <<'PYTHON'
import datetime, http.server, json, logging, threading, time
from importlib.metadata import version

import github, spotipy, time_machine
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

logging.disable()
caller, real_sleep, start = threading.current_thread(), time.sleep, 1_900_000_000
KEY = rsa.generate_private_key(65537, 2048).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
    serialization.NoEncryption()).decode()
clock = time_machine.travel(start, tick=False)
traveller = clock.start()


class Server(http.server.BaseHTTPRequestHandler):
    pause, ends, arrived = 0, [], []

    def log_message(self, *_): pass

    def respond(self, status, value, **headers):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), str(text))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        end = time.time() + 3600
        Server.ends.append(end)
        at = datetime.datetime.fromtimestamp(end, datetime.timezone.utc)
        token = f"token-{len(Server.ends) - 1}"
        self.respond(201, {
            "token": token, "expires_at": at.strftime("%Y-%m-%dT%H:%M:%SZ"), "permissions": {},
            "repository_selection": "all", "access_token": token, "expires_in": 3600})

    def do_GET(self):
        number = int(self.headers["Authorization"].rsplit("-", 1)[1])
        is_good = time.time() < Server.ends[number]
        pause, Server.pause = Server.pause, 0
        status = 401 if not is_good else 200 if not pause else 403 if "rate" in self.path else 429
        Server.arrived.append((number, status))
        headers = {401: {}, 200: {}, 429: {"Retry_After": pause}, 403: {
            "X_RateLimit_Reset": int(time.time()) + pause}}[status]
        self.respond(status, {
            401: {"message": "Bad credentials"}, 403: {"message": "API rate limit exceeded"},
            429: {}, 200: {"full_name": "a/rate", "name": "rate", "total_count": 0}}[status],
            **headers)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
slept = []


def sleep(seconds):
    if threading.current_thread() is not caller:
        return real_sleep(seconds)
    slept.append(seconds)
    traveller.shift(seconds)


time.sleep = sleep


def with_github():
    auth = github.Auth.AppAuth("1", KEY).get_installation_auth(2)
    client = github.Github(base_url=address, auth=auth, seconds_between_requests=None)
    return lambda: client.get_repo("a/rate")


def with_spotipy():
    spotipy.SpotifyClientCredentials.OAUTH_TOKEN_URL = address + "/token"
    client = spotipy.Spotify(auth_manager=spotipy.SpotifyClientCredentials(
        "id", "secret", cache_handler=spotipy.MemoryCacheHandler()))
    client.prefix = address + "/"
    return lambda: client._get("items")


def play(make, minutes):
    Server.ends, Server.arrived, seen = [], [], []
    call = make()
    call()
    traveller.shift(35 * 60)
    Server.pause = minutes * 60
    slept.clear()
    for _ in range(2):
        try:
            call()
            seen.append("200")
        except Exception as error:
            seen.append(str(getattr(error, "status", None) or error.http_status))
    return Server.arrived[1:], seen, round(sum(slept) / 60)


changed = False
for name, make, status in (("PyGithub", with_github, 403), ("spotipy", with_spotipy, 429)):
    late, early = play(make, 30), play(make, 5)
    print(f"{name} {version(name)}, asked to wait 30 min: {late[2]} min of pauses, tokens and",
          f"statuses {late[0]}, the callers see {late[1]}; 5 min: {early[0]}, {early[1]}")
    changed |= late != ([(0, status), (0, 401), (1, 200)], ["401", "200"], 30)
    changed |= early != ([(0, status), (0, 200), (0, 200)], ["200", "200"], 5)
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

#!/bin/bash
# msal 1.39.0, requests-oauth2client 1.8.0 and tidalapi 0.8.11, sign-in by a code on another device:
# one 503, 429 or lost connection among the polls ends it, while the user is typing the code.
#
# The client asks the token endpoint every five seconds until the user is done, for a quarter of an
# hour (RFC 8628, 3.5): up to 180 requests in a row, and each of the first 179 is of no importance.
# All three stop at the first one that is neither a token nor authorization_pending; the RFC has a
# longer pause for a time-out. So a second of trouble at the token endpoint ends every sign-in that
# is under way. The users go on, type the code, are told by the browser that it worked, and come
# back to a television or a command line that has failed and wants another code. Each client has a
# message of its own: MsalServiceError or a result that has no "error" to read
# does not survive (msal), a token response that is invalid, KeyError and an error of a JSON parser.
# At slow_down tidalapi also polls on at the pace that was too fast. huggingface_hub 2.4.0 polls on
# at all of them. A loop of one's own around single polls helps where they are to be had.
#
# Expected below, of an endpoint with one fault in its second response and a token in its fourth,
# and a pause of 1 s: 4 requests and a token without a fault; with 503, 429 or a lost connection 2
# requests and no token with the three, 4 and a token with huggingface_hub; with slow_down a token,
# the next poll after 5.9 s or more, with tidalapi within 3 s. Exits with 1 if that changes. The
# server is in the process; needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile msal==1.39.0 requests==2.34.2 \
    requests-oauth2client==1.8.0 tidalapi==0.8.11 huggingface-hub==2.4.0
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, os, threading, time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

FLOW = {"device_code": "device", "user_code": "code", "verification_uri": "https://a.example",
        "expires_in": 60, "interval": 1}
PENDING = 400, {"error": "authorization_pending"}
FAULTS = {"none": PENDING, "503": (503, None), "429": (429, {"message": "Too Many Requests"}),
          "lost": None, "slow_down": (400, {"error": "slow_down"})}
TOKEN = {"access_token": "a", "token_type": "Bearer", "refresh_token": "r", "expires_in": 3600}
polls = {}


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def reply(self, status, value):
        body = json.dumps(value).encode() if value else b"<h1>Service Unavailable</h1>"
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if value else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.reply(200, {name: f"https://local{self.path.split('.')[0]}{address}"
                         for name, address in (("authorization_endpoint", "authorize"),
                                               ("token_endpoint", "oauth/token"), ("issuer", ""),
                                               ("device_authorization_endpoint", "device"))})

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.endswith("device"):
            return self.reply(200, FLOW)
        client, fault = self.path.split("/")[1:3]
        times = polls.setdefault((client, fault), [])
        times.append(time.monotonic())
        answer = FAULTS[fault] if len(times) == 2 else PENDING if len(times) < 4 else (200, TOKEN)
        if answer: self.reply(*answer)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
os.environ["HF_ENDPOINT"] = base
import huggingface_hub.constants, msal, requests, tidalapi
from huggingface_hub.utils._oauth_device import poll_device_token
from requests_oauth2client import DeviceAuthorizationPoolingJob, OAuth2Client
from tidalapi.session import LinkLogin


class Local(requests.Session):
    """msal wants https; here it is as good as that."""

    def request(self, method, url, **more):
        return super().request(method, url.replace("https://local", base), **more)


def by_msal(path):
    app = msal.PublicClientApplication(
        "client", oidc_authority=f"https://local/{path}", http_client=Local())
    result = app.acquire_token_by_device_flow(app.initiate_device_flow(["scope"]))
    return "access_token" in result or result


def by_requests_oauth2client(path):
    client = OAuth2Client(f"{base}/{path}oauth/token", client_id="client", testing=True,
                          device_authorization_endpoint=f"{base}/{path}device")
    poll = DeviceAuthorizationPoolingJob(client, client.authorize_device())
    while (token := poll()) is None: pass
    return bool(token.access_token)


def by_tidalapi(path):
    session = tidalapi.Session()
    session.config.api_oauth2_token = f"{base}/{path}oauth/token"
    return "access_token" in session._check_link_login(LinkLogin({
        "expiresIn": 60, "userCode": "", "verificationUri": "", "verificationUriComplete": "",
        "deviceCode": "device", "interval": 1}))


def by_huggingface_hub(path):
    huggingface_hub.constants.ENDPOINT = f"{base}/{path[:-1]}"
    return "access_token" in poll_device_token(FLOW)


def play(item):
    ends = {}
    for fault in FAULTS:
        try:
            ends[fault] = item[1](f"{item[0]}/{fault}/")
        except Exception as error:
            ends[fault] = type(error).__name__
    return ends


clients = {"msal": by_msal, "requests-oauth2client": by_requests_oauth2client,
           "tidalapi": by_tidalapi, "huggingface_hub": by_huggingface_hub}
with ThreadPoolExecutor() as pool:
    seen = dict(zip(clients, pool.map(play, clients.items())))
changed = False
for name, ends in seen.items():
    print(name, version(name))
    goes_on = name == "huggingface_hub"
    for fault, end in ends.items():
        times = polls[name, fault]
        pause = times[2] - times[1] if len(times) > 2 else 0
        print(f"  {fault}: {'a token' if end is True else end}; {len(times)} polls, {pause:.1f} s")
        if fault in ("none", "slow_down") or goes_on:
            changed |= end is not True or len(times) != 4
        else:
            changed |= end is True or len(times) != 2
        if fault == "slow_down":
            changed |= pause > 3 if name == "tidalapi" else pause < 5.9
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" -W ignore "$folder/try.py"

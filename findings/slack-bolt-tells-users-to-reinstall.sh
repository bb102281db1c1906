#!/usr/bin/env bash
# slack-bolt 1.30.0 with token rotation: two hours before a token ends, a token endpoint that is
# busy for a moment tells users that the app is gone, and what they asked for is lost.
#
# InstallationStoreAuthorize rotates a token that has less than 120 min to live, before the listener
# runs. If that fails it takes the installation for gone: a comment says "it is usually
# unrecoverable". A 429 with Retry-After and a 503 count as well, although the token at hand is good
# for another 115 min. The listener is not called, who typed a command reads "your installation with
# this app is no longer available. Please reinstall", and Slack is answered 200, so it does not send
# an event again either. Each of them asks the endpoint anew, without a pause. The app works again
# with the first rotation that succeeds, without a reinstallation.
#
# Expected below, of three commands with a token that is good for 115 min more: while the endpoint
# answers 429 or 503, 0 listeners, 3 rotations asked for and three times 200 with that text; while
# it answers 200, 3 listeners and no such text. Exits with 1 if that changes. The server is on this
# machine; needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install slack-bolt==1.30.0 slack-sdk==3.48.0
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, logging, threading, time
from importlib.metadata import version

from slack_bolt import App, BoltRequest
from slack_bolt.authorization.authorize import InstallationStoreAuthorize
from slack_sdk.oauth.installation_store import Installation, InstallationStore
from slack_sdk.web import WebClient

logging.disable()


class Slack(http.server.BaseHTTPRequestHandler):
    status, asked = 200, 0

    def log_message(self, *_): pass

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, value = 200, {"ok": True, "bot_id": "B1", "user_id": "U1", "team_id": "T1"}
        if self.path == "/oauth.v2.access":
            Slack.asked += 1
            status = self.status
            value = {"ok": False, "error": "ratelimited"} if status != 200 else {
                "ok": True, "access_token": "xoxe.xoxb-new", "token_type": "bot",
                "refresh_token": "xoxe-2", "expires_in": 43200}
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        if status == 429:
            self.send_header("Retry-After", "30")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Store(InstallationStore):
    logger = logging.getLogger()

    def __init__(self):
        self.installation = Installation(
            app_id="A1", team_id="T1", user_id="U1", bot_token="xoxe.xoxb-old", bot_id="B1",
            bot_user_id="U2", bot_refresh_token="xoxe-1",
            bot_token_expires_at=int(time.time()) + 115 * 60)

    def save(self, installation): self.installation = installation
    def find_installation(self, **_): return self.installation


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slack)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = WebClient(base_url=f"http://127.0.0.1:{server.server_port}/")


def three_commands(status):
    Slack.status, Slack.asked, heard = status, 0, []
    app = App(
        signing_secret="s", client=client, request_verification_enabled=False,
        process_before_response=True, authorize=InstallationStoreAuthorize(
            logger=logging.getLogger(), installation_store=Store(), client_id="c",
            client_secret="s", client=client))
    app.command("/hello")(lambda ack: heard.append(ack()))
    responses = [app.dispatch(BoltRequest(
        headers={"content-type": ["application/x-www-form-urlencoded"]},
        body="command=%2Fhello&text=&team_id=T1&user_id=U9&channel_id=C1&api_app_id=A1"))
        for _ in range(3)]
    gone = sum("Please reinstall" in response.body for response in responses)
    return len(heard), Slack.asked, gone, [response.status for response in responses]


for name in ("slack-bolt", "slack-sdk"):
    print(name, version(name))
seen = {status: three_commands(status) for status in (429, 503, 200)}
for status, (heard, asked, gone, answered) in seen.items():
    print(f"endpoint {status}: {heard} listeners, {asked} rotations asked for, {gone} users told",
          "to reinstall, Slack answered", answered)
# A rotation that succeeds is asked for twice, once for the bot and once for the installation.
good = seen.pop(200)
raise SystemExit(
    (good[0], good[2]) != (3, 0) or seen != dict.fromkeys((429, 503), (0, 3, 3, [200] * 3)))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

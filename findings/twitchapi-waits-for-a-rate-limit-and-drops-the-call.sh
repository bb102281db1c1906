#!/bin/bash
# twitchAPI 4.5.0: a call that meets the rate limit waits until the limit is over, and is then not
# made: who sends gets no error, who lists gets an empty list.
#
# At a 429 the client sleeps until Ratelimit-Reset, up to a minute, and after that returns the
# response that it has, the refusal. It is not looked at: methods without a result, as to delete a
# message, to lift a ban or to make an announcement, return as they do when it is done; a listing
# takes what is under "data", which a refusal does not have, and ends; a method with a list for its
# result raises KeyError. That the call took a minute makes it look as if it had been repeated, and
# the log has one warning, "waiting for reset". So under load, when moderation is needed most,
# messages stay that a bot has reported as deleted. A 401 and a 503 are repeated, a 500 is raised.
#
# Expected below, of a server that refuses the first request of each call and would serve the
# second: with 429 and a second or two to the reset 1 request in 0.9 s or more, and None, no item of
# two, and KeyError; with 503 2 requests, and None, two items and a result; with 500 1 request and
# TwitchBackendException. Exits with 1 if that changes. The server is in the process; needs python3
# and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile twitchAPI==4.5.0 aiohttp==3.14.5
cat >"$folder/try.py" <<'PYTHON'
import asyncio, http.server, json, logging, math, threading, time
from importlib.metadata import version

from twitchAPI.twitch import Twitch
from twitchAPI.type import AuthScope

logging.disable()
arrived = []
USER = {"id": "1", "login": "ada", "display_name": "Ada", "type": "", "broadcaster_type": "",
        "description": "", "profile_image_url": "", "offline_image_url": "", "view_count": 0,
        "created_at": "2026-01-01T00:00:00Z", "email": ""}
COLOR = {"user_id": "1", "user_login": "ada", "user_name": "Ada", "color": "#9146FF"}


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def answer(self):
        arrived.append(self.path)
        status = refusal if len(arrived) == 1 else 200
        body = json.dumps({"error": "refused", "status": status, "message": ""} if status != 200
                          else {"data": [COLOR] if "color" in self.path else [USER, USER]}).encode()
        self.send_response(status)
        self.send_header("Ratelimit-Reset", str(math.ceil(time.time()) + 1))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_DELETE = answer


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()


async def play(name):
    base = f"http://127.0.0.1:{server.server_port}/"
    twitch = Twitch("app", "secret", authenticate_app=False, base_url=base, auth_base_url=base)
    await twitch.set_user_authentication(
        "token", [AuthScope.MODERATOR_MANAGE_CHAT_MESSAGES], "refresh", validate=False)
    arrived.clear()
    began = time.monotonic()
    try:
        if name == "delete a message":
            end = await twitch.delete_chat_message("1", "2", "message")
        elif name == "list":
            end = len([user async for user in twitch.get_users(logins=["ada", "bob"])])
        else:
            end = (await twitch.get_user_chat_color("1"))[0].user_name
    except Exception as error:
        end = type(error).__name__
    took = time.monotonic() - began
    print(f"{refusal}, {name}: {end} after {took:.1f} s, {len(arrived)} requests")
    return len(arrived), end, took > 0.9


print("twitchAPI", version("twitchAPI"))
names = ["delete a message", "list", "a color"]
expected = {429: [(1, None, True), (1, 0, True), (1, "KeyError", True)],
            503: [(2, None, False), (2, 2, False), (2, "Ada", False)],
            500: [(1, "TwitchBackendException", False)] * 3}
seen = {}
for refusal in expected:
    seen[refusal] = [asyncio.run(play(name)) for name in names]
raise SystemExit(seen != expected)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

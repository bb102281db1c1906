#!/bin/bash
# twitchAPI 4.5.0: one refresh that fails raises for its call, and from then on each call that meets
# a 401 hangs, for as long as the process lives, without a request.
#
# refresh_used_token() has a flag of its own for a lock, and waits in steps of 0.1 s while it is
# set. An exception of the refresh leaves it set: a token endpoint that answers 503 in HTML, a lost
# connection, a time-out, or a refresh token that was refused. The access token has ended, so every
# call of the bot runs into that loop and stays there: no time-out of the session is under way, no
# error reaches the app, nothing is logged, and the tasks pile up. A supervisor that restarts what
# has ended sees a process that lives. A second of trouble at the token endpoint is the end of the
# bot, with a refresh token in its hands that is good. The flag of the app's token is the same.
# asyncio.timeout() around a call ends that call alone; a new Twitch object, or a lock that is given
# back in a finally, helps.
#
# Expected below, of a token that has ended and a token endpoint that fails once: with 503, a lost
# connection and 400 the first call raises and the next two do not return within 3 s, with one
# request to the API by each call and 1 in all for a token. With an endpoint that is well all three
# calls return. Exits with 1 if that changes. The server is in the process; needs python3 and PyPI;
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile twitchAPI==4.5.0 aiohttp==3.14.5
cat >"$folder/try.py" <<'PYTHON'
import asyncio, http.server, json, logging, threading
from importlib.metadata import version

from twitchAPI.twitch import Twitch
from twitchAPI.type import AuthScope

logging.disable()
COLOR = {"user_id": "1", "user_login": "ada", "user_name": "Ada", "color": "#9146FF"}
calls, tokens = [], []


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
        calls.append(self.headers["Authorization"])
        if calls[-1] == "Bearer new":
            self.reply(200, {"data": [COLOR]})
        else:
            self.reply(401, {"status": 401, "message": "Invalid OAuth token"})

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        tokens.append(self.path)
        if len(tokens) > 1 or fault == "well":
            self.reply(200, {"access_token": "new", "refresh_token": "second"})
        elif fault == "503":
            self.reply(503, None)
        elif fault == "400":
            self.reply(400, {"status": 400, "message": "Invalid refresh token"})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()


async def play():
    base = f"http://127.0.0.1:{server.server_port}/"
    twitch = Twitch("app", "secret", authenticate_app=False, base_url=base, auth_base_url=base)
    await twitch.set_user_authentication(
        "old", [AuthScope.USER_MANAGE_CHAT_COLOR], "first", validate=False)
    ends = []
    for _ in range(3):
        try:
            await asyncio.wait_for(twitch.get_user_chat_color("1"), 3)
            ends.append("a color")
        except TimeoutError:
            ends.append("hangs")
        except Exception as error:
            ends.append("raises")
            print(f"  {type(error).__name__}")
    return ends


print("twitchAPI", version("twitchAPI"))
changed = False
for fault in ("well", "503", "lost", "400"):
    calls.clear(), tokens.clear()
    ends = asyncio.run(play())
    print(f"{fault}: {', '.join(ends)}; {len(calls)} requests to the API,",
          len(tokens), "for a token")
    changed |= (ends, len(calls), len(tokens)) != (
        (["a color"] * 3, 4, 1) if fault == "well" else (["raises", "hangs", "hangs"], 3, 1))
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

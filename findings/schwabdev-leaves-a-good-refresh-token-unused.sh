#!/bin/bash
# schwabdev 4.0.0: in the last hour of its week a refresh token is not used any more; the calls go
# out with a token that has ended, unless a person signs in, who is asked before each of them.
#
# A refresh token of this service lives seven days, an access token half an hour, and a person has
# to sign in once a week. The library asks for that an hour early, before each call, and in place of
# the refresh, not beside it. So a person who comes half an hour later finds an app that has failed
# since, with a refresh token that is good; a job at night has no person. While the question is open
# the library holds the database of tokens locked: each other process that shares it waits half a
# minute before each of its calls, and then sends what it has.
#
# Expected below, of a call at each of 70, 59, 50, 41, 35, 20 and 5 minutes before the end of the
# refresh token, with a person who is away: 1 refresh, 200 until 41 minutes and 401 from 35 on, and
# the person is asked 6 times; of the server, that the refresh token was good all the time. Exits
# with 1 if that changes. Time is the script's own and no request leaves the process. Needs python3
# and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile schwabdev==4.0.0 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import datetime, json, logging, sqlite3, sys, urllib.parse
from importlib.metadata import version

import requests, schwabdev
from schwabdev import tokens

logging.disable()
WEEK, HALF_HOUR = datetime.timedelta(days=7), datetime.timedelta(minutes=30)
start = datetime.datetime(2030, 1, 7, tzinfo=datetime.timezone.utc)
now, refreshes, asked, issued = start, 0, 0, {}
tokens._now = lambda: now


def issue():
    name = f"access-{len(issued)}"
    issued[name] = now
    return name


def send(adapter, request, **_):
    """The server: an access token lives half an hour, the refresh token a week."""
    global refreshes
    status, body = 200, []
    if request.url.endswith("/oauth/token"):
        refreshes += 1
        assert urllib.parse.parse_qs(request.body)["grant_type"] == ["refresh_token"]
        assert now < start + WEEK
        body = {"access_token": issue(), "refresh_token": "refresh", "id_token": "id",
                "expires_in": 1800, "token_type": "Bearer", "scope": "api"}
    else:
        shown = request.headers["Authorization"].removeprefix("Bearer ")
        status = 200 if now < issued[shown] + HALF_HOUR else 401
    response = requests.Response()
    response.status_code, response.request, response.url = status, request, request.url
    response._content = json.dumps(body).encode()
    return response


def ask(address):
    """The person is away."""
    global asked
    asked += 1


requests.adapters.HTTPAdapter.send = send


def new():
    return schwabdev.Client("k" * 32, "s" * 16, tokens_db=sys.argv[1] + "/tokens.db",
                            call_on_auth=ask)


new()  # makes the database
asked, now = 0, start + WEEK - datetime.timedelta(minutes=100)
with sqlite3.connect(sys.argv[1] + "/tokens.db") as database:
    database.execute("DELETE FROM schwabdev")
    database.execute("INSERT INTO schwabdev VALUES (?, ?, ?, 'refresh', 'id', 1800, 'Bearer', '')",
                     (now.isoformat(), start.isoformat(), issue()))
client, ends = new(), {}
for minutes in (70, 59, 50, 41, 35, 20, 5):
    now = start + WEEK - datetime.timedelta(minutes=minutes)
    ends[minutes] = client.linked_accounts().status_code
print("schwabdev", version("schwabdev"), "- refreshes:", refreshes, "- person asked:", asked)
print(*(f"{minutes} min before: {end}" for minutes, end in ends.items()), sep=", ")
raise SystemExit((refreshes, asked, [*ends.values()]) != (1, 6, [200] * 4 + [401] * 3))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"

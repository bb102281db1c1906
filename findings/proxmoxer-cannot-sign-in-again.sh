#!/bin/bash
# proxmoxer 2.3.0: a service that was quiet for two hours is signed out until it is restarted, with
# the password in its hands.
#
# A ticket of Proxmox lives two hours and is renewed with itself. proxmoxer does that at the first
# call after one hour, and has dropped the password by then. So who calls at least once an hour is
# signed in for ever, and who makes no call for two, as a night job or an alert does, shows a dead
# ticket as its password and gets AuthenticationError, with each call from then on: the ticket stays
# the one that is dead. Nothing is sent but sign-ins that fail, which a server may count and block
# the user for. A server that is down for the second of the two hours does the same to a client that
# calls each minute. A new ProxmoxAPI with the same password works at once.
#
# Expected below, of a call each half hour, five times: 5 answered; of a call and then three after
# two hours of silence: 1 answered, 3 times AuthenticationError, and one more by a new client
# answered; of a call a minute, with the server down from 59 minutes to 121: the last three fail,
# with the server well again. Exits with 1 if that changes. Time is the script's own and no request
# leaves the process. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile proxmoxer==2.3.0 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import json, logging, types, urllib.parse
from importlib.metadata import version

import requests
from proxmoxer import ProxmoxAPI
from proxmoxer.backends import https

logging.disable()
now, is_down = 0.0, False
https.time = types.SimpleNamespace(monotonic=lambda: now)
LIFE = 7200


def is_good(ticket):
    return ticket.startswith("ticket-") and now - float(ticket.removeprefix("ticket-")) < LIFE


def send(adapter, request, **_):
    """The server: a ticket for the password, or for a ticket that is good, and an API."""
    if is_down:
        raise requests.ConnectionError
    if request.url.endswith("/access/ticket"):
        shown = urllib.parse.parse_qs(request.body)["password"][0]
        is_allowed = shown == "password" or is_good(shown)
    else:
        cookie = request.headers["Cookie"].removeprefix("PVEAuthCookie=")
        is_allowed = is_good(cookie)
    response = requests.Response()
    response.status_code, response.request, response.url = 200 if is_allowed else 401, request, ""
    response.headers["Content-Type"] = "application/json"
    response.reason = "authentication failure"
    response._content = json.dumps({"data": {
        "ticket": f"ticket-{now}", "CSRFPreventionToken": "c", "version": "8"}}).encode()
    return response


requests.adapters.HTTPAdapter.send = send


def new():
    return ProxmoxAPI("pve.example", user="user@pve", password="password")


def call(client, minute, down=False):
    global now, is_down
    now, is_down = minute * 60.0, down
    try:
        return client.version.get()["version"] == "8"
    except Exception as error:
        return type(error).__name__


def begin():
    global now, is_down
    now, is_down = 0.0, False
    return new()


seen = {}
client = begin()
seen["each half hour"] = [call(client, 30 * n) for n in range(1, 6)]
client = begin()
seen["after two hours of silence"] = [call(client, minute) for minute in (1, 130, 131, 300)]
seen["a new client"] = [call(new(), 301)]
client = begin()
ends = [call(client, minute, 59 <= minute <= 121) for minute in range(1, 125)]
seen["each minute, server down for an hour"] = ends[:58] == [True] * 58, ends[-3:]
print("proxmoxer", version("proxmoxer"))
for name, ends in seen.items():
    print(f"{name}:", *ends)
lost = ["AuthenticationError"] * 3
raise SystemExit([*seen.values()] != [[True] * 5, [True] + lost, [True], (True, lost)])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

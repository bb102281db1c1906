#!/bin/bash
# msal 1.39.0 in an API that acts for its users: the rate limit of one user is the response to all,
# for as long as it lasts, and no request is sent.
#
# MSAL keeps a token endpoint's 429, 5xx, or whatever has a Retry-After, and answers equal requests
# with it meanwhile, per account, as a comment in its code has it: by client, scope, and the refresh
# token, the code or the user name. acquire_token_on_behalf_of has none of the three. What tells its
# users apart is the assertion, which is not looked at: after one user's 429 with Retry-After: 60,
# or one 503 of a moment, each user who has no token in the cache gets that response, with the
# correlation id of the first, for 60 s, or 5 s without the header, or up to an hour. For the log of
# the identity provider those calls were never made. Of users with refresh tokens one is held back.
#
# Expected below, of eight users one after the other, where the first is answered 429 with
# Retry-After: 60, or 503 without the header: on behalf of them 1 request and 8 failures, after the
# pause, for the last seven, 7 requests and 7 tokens; with refresh tokens 8 requests and 1 failure.
# Exits with 1 if that changes. Time is the script's own and no request leaves the process. Needs
# python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile msal==1.39.0 time-machine==3.6.0
cat >"$folder/try.py" <<'PYTHON'
import json, time
from importlib.metadata import version

import msal, time_machine

AUTHORITY = "https://login.microsoftonline.com/tenant"
USERS = [f"user-{number}" for number in range(8)]


class Response:
    def __init__(self, status, body, headers):
        self.status_code, self.text, self.headers = status, json.dumps(body), headers

    def raise_for_status(self): assert self.status_code < 400


class Endpoint:
    def __init__(self, status, headers):
        self.status, self.headers, self.arrived, self.is_busy = status, headers, [], True

    def get(self, url, **_):
        return Response(200, {"issuer": AUTHORITY + "/v2.0", "token_endpoint": AUTHORITY + "/token",
                              "authorization_endpoint": AUTHORITY + "/authorize"}, {})

    def post(self, url, data=None, **_):
        user = data.get("assertion") or data["refresh_token"]
        self.arrived.append(user)
        if user == USERS[0] and self.is_busy:
            return Response(self.status, {"error": "temporarily_unavailable"}, self.headers)
        return Response(200, {"access_token": "for " + user, "expires_in": 3600,
                              "token_type": "Bearer"}, {})

    def close(self): pass


def play(grant, status, headers, pause):
    endpoint = Endpoint(status, headers)
    app = msal.ConfidentialClientApplication(
        "client", client_credential="secret", authority=AUTHORITY, http_client=endpoint,
        instance_discovery=False)

    def ask(user):
        try:
            if grant == "on behalf of":
                return app.acquire_token_on_behalf_of(user, ["api/read"])
            return app.acquire_token_by_refresh_token(user, ["api/read"])
        except msal.exceptions.MsalServiceError as error:
            return {"error": str(error)}

    with time_machine.travel(1_900_000_000.0, tick=False) as clock:
        first = [ask(user) for user in USERS]
        counts = len(endpoint.arrived), sum("error" in result for result in first)
        clock.shift(pause + 1)
        endpoint.arrived.clear()
        later = [ask(user) for user in USERS[1:]]
    assert all(result["access_token"] == "for " + user for user, result in zip(USERS[1:], later))
    return *counts, len(endpoint.arrived)


print("msal", version("msal"))
changed = False
for status, headers, pause in ((429, {"Retry-After": "60"}, 60), (503, {}, 5)):
    for grant, expected in (("on behalf of", (1, 8, 7)), ("refresh token", (8, 1, 7))):
        seen = requests, failures, later = play(grant, status, headers, pause)
        changed |= seen != expected
        print(f"{grant}, {status} for the first of eight users: {requests} requests, {failures}",
              f"failures; {pause} s later {later} requests for the other seven")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

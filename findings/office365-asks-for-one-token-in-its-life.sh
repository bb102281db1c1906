#!/bin/bash
# office365-rest-python-client 3.3.0 (SharePoint): with a client credential it asks for one token,
# and sends that for as long as the process lives.
#
# with_credentials(ClientCredential(...)) signs the app in at the token service of the tenant. The
# response says how long the token lives, a day at most, and that is not read: there is a token, so
# none is asked for, and a 401 is raised as an error like any other. So a service works on the day
# of its start and is refused from the next one on, until somebody restarts it; a job that runs for
# a minute, and a test, never see it. The same client with with_access_token() reads the life, and
# asks its function again after the end. Nothing in the types or names of the two tells them apart.
#
# Expected below, of tokens of a day and a call at the start and 12, 25, 60 and 100 hours after it:
# with a client credential 1 token, 200 for two calls and 401 for three; with with_access_token() 4
# tokens and 200 for each. Exits with 1 if that changes. Time is the script's own and no request
# leaves the process. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile office365-rest-python-client==3.3.0 \
    requests==2.34.2 time-machine==3.6.0
cat >"$folder/try.py" <<'PYTHON'
import json, logging, time
from importlib.metadata import version

import requests, time_machine
from office365.runtime.auth.client_credential import ClientCredential
from office365.sharepoint.client_context import ClientContext

logging.disable()
HOUR, DAY, SITE = 3600, 86_400, "https://tenant.example/sites/site"
issued = {}


def issue():
    name = f"token-{len(issued)}"
    issued[name] = time.time()
    return {"access_token": name, "token_type": "Bearer", "expires_in": DAY}


def send(adapter, request, **_):
    """The server: the site, and the token service of its tenant."""
    response = requests.Response()
    response.status_code, response.request, response.url = 200, request, request.url
    response.headers["Content-Type"] = "application/json"
    body = {"d": {"Title": "site"}}
    if request.method == "HEAD":
        response.headers["WWW-Authenticate"] = 'Bearer realm="realm",client_id="site"'
    elif "/tokens/OAuth/2" in request.url:
        body = issue()
    elif time.time() > issued[request.headers["Authorization"].removeprefix("Bearer ")] + DAY:
        response.status_code, body = 401, {"error": {"code": "-1", "message": "ended"}}
    response._content = json.dumps(body).encode()
    return response


requests.adapters.HTTPAdapter.send = send


def by_credential(client):
    return client.with_credentials(ClientCredential("client", "secret"))


def by_function(client):
    return client.with_access_token(issue)


def play(sign_in):
    issued.clear()
    ends = []
    with time_machine.travel(1_900_000_000, tick=False) as clock:
        client = sign_in(ClientContext(SITE))
        passed = 0
        for hours in (0, 12, 25, 60, 100):
            clock.shift((hours - passed) * HOUR)
            passed = hours
            try:
                client.web.get().execute_query()
                ends.append(200)
            except Exception as error:
                ends.append(error.response.status_code)
    return len(issued), ends


print("office365-rest-python-client", version("office365-rest-python-client"))
changed = False
for name, sign_in, expected in (
    ("client credential", by_credential, (1, [200, 200, 401, 401, 401])),
    ("with_access_token()", by_function, (4, [200] * 5)),
):
    seen = tokens, ends = play(sign_in)
    changed |= seen != expected
    print(f"{name}: {tokens} tokens;", *ends)
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

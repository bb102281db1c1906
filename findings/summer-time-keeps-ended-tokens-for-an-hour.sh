#!/bin/bash
# looker-sdk 26.22.0 and pyeasee 0.8.21: in the night in which summer time ends they send a token
# for an hour after its end, and the calls of that hour are refused.
#
# They keep the end of a token as a local time of day, without a zone, and compare it with the local
# time of day. When the clocks go back by an hour, the end is an hour further away. A token that
# came before the change is used until then; Looker's lives an hour, so of services that call all
# the time it is each process in that country, at one moment, once a year, and never in a test. A
# 401 helps neither: looker-sdk raises until the hour is over, pyeasee signs in again and raises for
# the call. A machine in UTC has no such night. Authlib 1.9.10 compares seconds since 1970.
#
# Expected below, of a token of an hour, and calls 70 and 135 min after it came: on the night of 25
# October 2026 in Berlin 401 and 200 with the two, on the night before 200 and 200; with Authlib 200
# and 200 on both. Exits with 1 if that changes. Time is the script's own and no request leaves the
# process. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile looker-sdk==26.22.0 pyeasee==0.8.21 \
    Authlib==1.9.10 requests==2.34.2 time-machine==3.6.0
cat >"$folder/try.py" <<'PYTHON'
import asyncio, json, logging, os, time, types
from importlib.metadata import version

os.environ |= {"TZ": "CET-1CEST,M3.5.0,M10.5.0/3", "LOOKERSDK_CLIENT_ID": "c",
               "LOOKERSDK_CLIENT_SECRET": "s", "LOOKERSDK_BASE_URL": "https://api.example"}
time.tzset()
import looker_sdk, pyeasee, requests, time_machine
from authlib.integrations.requests_client import OAuth2Session

logging.disable()
HOUR, NIGHT = 3600, 1_792_888_200  # 25 October 2026, 2:30 in summer time, half an hour before 3
loop, ends, statuses = asyncio.new_event_loop(), {}, []


def answer(path, token):
    """The server: tokens of an hour, and an API."""
    if path.endswith(("/token", "/login", "/refresh_token")):
        ends[name := f"token-{len(ends)}"] = time.time() + HOUR
        return 200, {"access_token": name, "accessToken": name, "token_type": "Bearer",
                     "refresh_token": "r", "refreshToken": "r", "id_token": "i",
                     "expires_in": HOUR, "expiresIn": HOUR}
    statuses.append(200 if time.time() < ends[token.split()[-1]] else 401)
    return statuses[-1], {"message": "message", "documentation_url": "url"}


def send(adapter, request, **_):
    response = requests.Response()
    response.request, response.url, response.encoding = request, request.url, "utf-8"
    response.status_code, body = answer(
        request.url.split("?")[0], request.headers.get("Authorization"))
    response._content = json.dumps(body).encode()
    return response


requests.adapters.HTTPAdapter.send = send


def by_looker():
    return looker_sdk.init40().me


def by_easee():
    class Session:
        async def request(self, url, headers=None, **_):
            status, body = answer(url, (headers or {}).get("Authorization"))

            async def read(): return body
            return types.SimpleNamespace(
                status=status, json=read, text=read, url=url, headers={}, history=(),
                request_info=None)

        get = post = request
    easee = pyeasee.Easee("user", "password", Session())
    return lambda: loop.run_until_complete(easee.get("/call"))


def by_authlib():
    session = OAuth2Session("c", token_endpoint="https://api.example/token")
    session.fetch_token(username="user", password="password")
    return lambda: session.get("https://api.example/call").raise_for_status()


def play(begin, make):
    statuses.clear()
    with time_machine.travel(begin, tick=False) as clock:
        call = make()
        for minutes in (0, 70, 135):
            clock.move_to(begin + minutes * 60)
            try:
                call()
            except (looker_sdk.error.SDKError, pyeasee.AuthorizationFailedException):
                assert statuses[-1] == 401
    assert statuses.pop(0) == 200
    return statuses[:]


changed = False
for name, make in ("looker-sdk", by_looker), ("pyeasee", by_easee), ("Authlib", by_authlib):
    seen = play(NIGHT, make), play(NIGHT - 24 * HOUR, make)
    changed |= seen != ([200 if name == "Authlib" else 401, 200], [200, 200])
    print(f"{name} {version(name)}: after 70 and 135 min", *seen[0], "- a night earlier", *seen[1])
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

#!/usr/bin/env bash
# google-auth 2.63.0: three minutes before a token ends, an outage of the token endpoint fails calls
# that the token would have served; the refresh in the background helps the first of them only.
#
# A token counts as expired 225 s before its end (REFRESH_THRESHOLD): from then on each call
# refreshes first and fails with RefreshError when that fails, after three attempts and about 3 s.
# with_non_blocking_refresh() is there for these minutes: of a token that is STALE, TokenState says
# that it "can be used normally". But one refresh that failed in the background is kept as an error,
# and while it is kept each call refreshes by itself, waits and fails. Only a refresh that succeeds
# takes it back. So the margin, which is meant to bridge an outage, makes it begin 225 s sooner.
#
# Expected below, of four calls with a token that is good for 180 s more: while the endpoint answers
# 503, none is sent with the blocking refresh, and with the other the first and no further one, each
# after three attempts; while it answers 200 all four are. Exits with 1 if that changes. No request
# leaves the process and pauses are not slept. Needs python3 and PyPI; everything stays in a
# temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install google-auth==2.63.0
cat >"$folder/try.py" <<'PYTHON'
import datetime, json, logging, types
from importlib.metadata import version

from google.auth import _exponential_backoff, _helpers, exceptions, transport
from google.oauth2.credentials import Credentials

logging.disable()
_exponential_backoff.time = types.SimpleNamespace(sleep=lambda seconds: None)


class Endpoint(transport.Request):
    status = 200
    asked = 0

    def __call__(self, *_, **__):
        Endpoint.asked += 1
        text = {"access_token": "new", "expires_in": 3600} if self.status == 200 else {}
        return types.SimpleNamespace(
            status=self.status, headers={}, data=json.dumps(text).encode())


def calls(status, non_blocking):
    Endpoint.status = status
    credentials = Credentials(
        "old", refresh_token="r", token_uri="https://localhost/token", client_id="c",
        client_secret="s", expiry=_helpers.utcnow() + datetime.timedelta(seconds=180))
    if non_blocking:
        credentials.with_non_blocking_refresh()
    outcomes = []
    for _ in range(4):
        Endpoint.asked, headers = 0, {}
        try:
            credentials.before_request(Endpoint(), "GET", "https://localhost/items", headers)
            outcome = "sent"
        except exceptions.RefreshError:
            outcome = "RefreshError"
        worker = credentials._refresh_worker._worker
        if worker:
            worker.join()
        outcomes.append((outcome, Endpoint.asked))
    return outcomes


failed, quiet = ("RefreshError", 3), ("sent", 0)
changed = False
print("google-auth", version("google-auth"))
for non_blocking, status, expected in (
    (False, 503, [failed] * 4), (True, 503, [("sent", 3)] + [failed] * 3),
    (False, 200, [("sent", 1)] + [quiet] * 3), (True, 200, [("sent", 1)] + [quiet] * 3),
):
    seen = calls(status, non_blocking)
    changed |= seen != expected
    print("in the background," if non_blocking else "in the call,", f"endpoint {status}:",
          ", ".join(f"{outcome} after {asked} token requests" for outcome, asked in seen))
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

#!/bin/bash
# supabase-auth 2.34.1: an app that starts with an ended token while the server is busy is signed
# out for good, although its refresh token is good.
#
# initialize() reads the session that was stored and refreshes it if it has ended, which it has for
# each user who was away for an hour. A failure of the moment is kept and tried again by a timer:
# 502, 503 and 504, and a lost connection. 429, 500 and 408 are not among them: the session is
# removed from the storage, refresh token and all, without an error to the caller, and get_session()
# is None from then on, when the server is well again too. The server has a rate limit on just this
# endpoint, per address, so a morning on which all start at once behind one address, or an outage
# that answers 500, asks those users for their passwords. RFC 6749, 5.2, has invalid_grant for a
# refresh token that is over, with 400.
#
# Expected below, of a stored session whose token has ended: after 429, 500 and 408 it is removed,
# and get_session() is None when the server answers 200; after 503 and a lost connection it is kept,
# and get_session() brings a new token; after 400 invalid_grant it is removed. Exits with 1 if that
# changes. No request leaves the process. Needs python3 and PyPI; everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile supabase-auth==2.34.1 httpx==0.28.1
cat >"$folder/try.py" <<'PYTHON'
import json, time
from importlib.metadata import version

import httpx
from supabase_auth import SyncGoTrueClient, SyncMemoryStorage

USER = {"id": "1", "app_metadata": {}, "user_metadata": {}, "aud": "a",
        "created_at": "2026-01-01T00:00:00Z"}


def session(refresh_token, life):
    return {"access_token": "header.payload.signature", "refresh_token": refresh_token,
            "expires_in": 3600, "expires_at": int(time.time()) + life, "token_type": "bearer",
            "user": USER}


def play(status, code):
    is_busy, sent = True, []

    def respond(request):
        sent.append(json.loads(request.content)["refresh_token"])
        if not is_busy:
            return httpx.Response(200, json=session("second", 3600))
        if status is None:
            raise httpx.ConnectError("lost")
        return httpx.Response(status, json={"error_code": code, "msg": code},
                              headers={"Retry-After": "30"})

    storage = SyncMemoryStorage()
    storage.set_item("supabase.auth.token", json.dumps(session("first", -5)))
    client = SyncGoTrueClient(url="http://auth", storage=storage, http_client=httpx.Client(
        transport=httpx.MockTransport(respond)))

    def stop_timer():
        if client._refresh_token_timer:
            client._refresh_token_timer.cancel()

    client.initialize()
    stop_timer()
    is_kept, is_busy = storage.get_item("supabase.auth.token") is not None, False
    later = client.get_session()
    stop_timer()
    assert set(sent) == {"first"}
    return is_kept, later is not None


print("supabase-auth", version("supabase-auth"))
changed = False
for status, code, is_kept in (
    (429, "over_request_rate_limit", False), (500, "unexpected_failure", False),
    (408, "request_timeout", False), (503, "busy", True), (None, "lost", True),
    (400, "invalid_grant", False),
):
    seen = kept, later = play(status, code)
    changed |= seen != (is_kept, is_kept)
    print(f"{status or 'a lost connection'}: the session is", "kept" if kept else "removed",
          "and, later,", "goes on" if later else "gone")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

#!/bin/bash
# python-amazon-sp-api 2.1.35: a service of ten sellers asks for ten tokens an hour, one of eleven
# for a token before each call.
#
# Tokens are kept in one cache of the process, by refresh token, which holds ten
# (SP_API_AUTH_CACHE_SIZE) and drops the one that was not used for longest. A job that goes through
# its sellers one after the other, as most do, asks for the one of eleven that was just dropped: not
# one call in eleven pays for the eleventh seller, all do. Each is a request of its own to Amazon's
# token endpoint, which has a rate limit, and nothing is raised or logged: from the day on which a
# customer came each call is two requests. The variable is among the settings; that the size is a
# cliff is not. python-amazon-ad-api 1.2.9 has the same cache, with AD_API_AUTH_CACHE_SIZE.
#
# Expected below, of ten rounds through ten sellers 10 tokens for 100 calls, through eleven 110 for
# 110; through eleven with the size at 11, 11. Exits with 1 if that changes. No request leaves the
# process. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile python-amazon-sp-api==2.1.35 httpx==0.28.1
cat >"$folder/try.py" <<'PYTHON'
import functools, sys, urllib.parse
from importlib.metadata import version

import httpx

tokens, calls = [], []


def respond(request):
    if request.url.path == "/auth/o2/token":
        form = urllib.parse.parse_qs(request.content.decode())
        tokens.append(form["refresh_token"][0])
        return httpx.Response(200, json={
            "access_token": "access of " + tokens[-1], "refresh_token": tokens[-1],
            "token_type": "bearer", "expires_in": 3600})
    calls.append(request.headers["x-amz-access-token"])
    return httpx.Response(200, json={"payload": {"Orders": []}})


httpx.Client = functools.partial(httpx.Client, transport=httpx.MockTransport(respond))
from sp_api.api import Orders
from sp_api.auth import access_token_client
from sp_api.base import Marketplaces

sellers, size = int(sys.argv[1]), access_token_client.cache.maxsize
clients = [Orders(marketplace=Marketplaces.DE, refresh_token=f"seller-{number}", credentials={
    "lwa_app_id": "id", "lwa_client_secret": "secret"}) for number in range(sellers)]
for _ in range(10):
    for number, client in enumerate(clients):
        client.get_orders(CreatedAfter="2030-01-01")
        assert calls[-1] == f"access of seller-{number}"
print(f"python-amazon-sp-api {version('python-amazon-sp-api')}, cache of {size},",
      f"{sellers} sellers: {len(calls)} calls, {len(tokens)} requests for a token")
raise SystemExit((size, len(calls), len(tokens)) != tuple(map(int, sys.argv[2:])))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" 10 10 100 10
"$folder/venv/bin/python3" "$folder/try.py" 11 10 110 110
SP_API_AUTH_CACHE_SIZE=11 "$folder/venv/bin/python3" "$folder/try.py" 11 11 110 11

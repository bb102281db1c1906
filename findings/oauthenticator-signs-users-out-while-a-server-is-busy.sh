#!/bin/bash
# oauthenticator 17.4.0 (JupyterHub): a rate limit of the user endpoint makes it refresh a good
# token, and a token endpoint that is busy for a moment signs the user out.
#
# The hub asks refresh_user every five minutes of a user's work. It asks the provider who the user
# is, and takes any refusal from 400 to 499 for the end of the access token; 429 is one. So under a
# limit each check is a refresh, which helps nothing, as the question after it is answered 429 too.
# Whatever goes wrong with the refresh, a 503, a 429 or a connection that is lost, the user has to
# sign in again, in the middle of the work, although access and refresh token are good. A 503 for
# the question raises, which is a page with an error and no sign-out.
#
# Expected below, of one check of a user (False is a sign-out): both endpoints well True, and a
# token that ended True after 1 refresh; 429 for who the user is False after 1 refresh; token ended
# and 429, 503 or a lost connection for the refresh False; 503 for who the user is HTTPClientError
# and 0 refreshes. Exits with 1 if that changes. No request leaves the process. Needs python3 and
# PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile oauthenticator==17.4.0 jupyterhub==6.1.1
cat >"$folder/try.py" <<'PYTHON'
import asyncio, io, json, logging
from importlib.metadata import version

from oauthenticator.generic import GenericOAuthenticator
from tornado.httpclient import HTTPError, HTTPResponse

logging.disable()


class Client:
    """The provider; None as a status is a connection that is lost."""

    def __init__(self, user, token):
        self.statuses, self.refreshes = {"user": user, "token": token}, 0

    async def fetch(self, request, **_):
        path = request.url.rsplit("/", 1)[1].split("?")[0]
        self.refreshes += path == "token"
        status = self.statuses[path]
        if status is None:
            raise ConnectionResetError
        if path == "user" and status == 200 and "ended" in request.headers["Authorization"]:
            status = 401
        if status != 200:
            raise HTTPError(status)
        body = {"username": "user"} if path == "user" else {
            "access_token": "new", "token_type": "Bearer", "expires_in": 3600}
        return HTTPResponse(request, 200, buffer=io.BytesIO(json.dumps(body).encode()))


class User:
    name = "user"

    def __init__(self, access):
        self.state = {"token_response": {"access_token": access, "token_type": "Bearer"},
                      "access_token": access, "refresh_token": "good"}

    async def get_auth_state(self):
        return self.state


def play(access, user, token):
    client = Client(user, token)
    authenticator = GenericOAuthenticator(
        client_id="client", client_secret="secret", enable_auth_state=True,
        token_url="https://provider.example/token", userdata_url="https://provider.example/user")
    authenticator.http_client = client
    try:
        end = bool(asyncio.run(authenticator.refresh_user(User(access))))
    except Exception as error:
        end = type(error).__name__
    return end, client.refreshes


print("oauthenticator", version("oauthenticator"), "- jupyterhub", version("jupyterhub"))
changed = False
for name, options, expected in (
    ("good token", ("good", 200, 200), (True, 0)), ("ended token", ("ended", 200, 200), (True, 1)),
    ("good token, 429 for the user", ("good", 429, 200), (False, 1)),
    ("ended token, 429 for the refresh", ("ended", 200, 429), (False, 1)),
    ("ended token, 503 for the refresh", ("ended", 200, 503), (False, 1)),
    ("ended token, lost connection", ("ended", 200, None), (False, 1)),
    ("good token, 503 for the user", ("good", 503, 200), ("HTTPClientError", 0)),
):
    seen = play(*options)
    changed |= seen != expected
    print(f"{name}: {seen[0]}, refreshes: {seen[1]}")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

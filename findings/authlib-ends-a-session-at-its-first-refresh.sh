#!/usr/bin/env bash
# Authlib 1.9.10 as a server, with the methods that its docstrings show: a refresh brings no new
# refresh token and revokes the old one, so the second refresh of each user is a sign-in.
#
# RefreshTokenGrant.INCLUDE_NEW_REFRESH_TOKEN is False by itself. revoke_old_credential has to be
# written, and its docstring does so with "credential.revoked = True", for a server that "MAY revoke
# the old refresh token after issuing a new" one (RFC 6749, 6). It is called after each refresh,
# also when no new one was issued. By the same section a client that gets none keeps the old one,
# which is dead from then on. Nothing shows in a test of one refresh; the user is out at the second,
# an hour later. With INCLUDE_NEW_REFRESH_TOKEN = True it goes on.
#
# Expected below, of a sign-in and three refreshes by a client that keeps what it has where it gets
# nothing new: 200, 200 without a refresh token, then twice 400 invalid_grant; with the setting 200
# four times. Exits with 1 if that changes. No request leaves the process. Needs python3 and PyPI;
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install Authlib==1.9.10 Flask==3.1.3
cat >"$folder/try.py" <<'PYTHON'
import os
from importlib.metadata import version

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from flask import Flask


class App(ClientMixin):
    def get_client_id(self): return "app"
    def get_allowed_scope(self, scope): return scope or ""
    def check_client_secret(self, secret): return True
    def check_endpoint_auth_method(self, method, endpoint): return method == "none"
    def check_grant_type(self, grant): return True


class Credential(TokenMixin):
    revoked = False
    def check_client(self, client): return True
    def get_scope(self): return ""


class Password(grants.ResourceOwnerPasswordCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    def authenticate_user(self, username, password): return username


class Refresh(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def authenticate_refresh_token(self, text):
        credential = stored.get(text)
        return credential if credential and not credential.revoked else None

    def authenticate_user(self, credential): return "ann"

    def revoke_old_credential(self, credential):
        credential.revoked = True


class Rotating(Refresh):
    INCLUDE_NEW_REFRESH_TOKEN = True


stored = {}


def save(token, request):
    if "refresh_token" in token:
        stored[token["refresh_token"]] = Credential()


def session(grant):
    app = Flask(__name__)
    app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
    server = AuthorizationServer(app, query_client=lambda name: App(), save_token=save)
    server.register_grant(Password)
    server.register_grant(grant)
    app.post("/token")(server.create_token_response)
    client, kept, seen = app.test_client(), None, []
    for form in [{"grant_type": "password", "username": "ann", "password": "x"}] + 3 * [
            {"grant_type": "refresh_token"}]:
        refresh = {"refresh_token": kept} if kept else {}
        response = client.post("/token", data={"client_id": "app"} | form | refresh)
        kept = response.json.get("refresh_token", kept)
        seen.append((response.status_code, response.json.get(
            "error", "refresh_token" in response.json)))
    return seen


for name in ("Authlib", "Flask"):
    print(name, version(name))
seen = {grant.__name__: session(grant) for grant in (Refresh, Rotating)}
for name, responses in seen.items():
    print(f"{name}: status, and whether a refresh token came or the error: {responses}")
ended = (400, "invalid_grant")
raise SystemExit(seen != {
    "Refresh": [(200, True), (200, False), ended, ended], "Rotating": [(200, True)] * 4})
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

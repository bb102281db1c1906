#!/bin/sh
# Authlib 1.9.10, Flask integration without settings: the access token of a password sign-in lives
# 864,000 s (ten days), the one that a refresh brings 3,600 s. A client that takes the life of the
# first one for that of all refreshes 240 times too late.
#
# Expected below: sign-in 200 864000, refresh 200 3600. Exits with 1 if that changes. No request
# leaves the process; needs python3 and PyPI; everything stays in a temporary folder.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install "Authlib==1.9.10" "Flask==3.1.3"
cat > "$folder/ask.py" <<'PYTHON'
import os
from importlib.metadata import version

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from flask import Flask


class Client(ClientMixin):
    def get_client_id(self): return "app"
    def get_allowed_scope(self, scope): return scope or ""
    def check_client_secret(self, secret): return True
    def check_endpoint_auth_method(self, method, endpoint): return method == "none"
    def check_grant_type(self, grant): return True


class Token(TokenMixin):
    def check_client(self, client): return True
    def get_scope(self): return ""


class Password(grants.ResourceOwnerPasswordCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    def authenticate_user(self, username, password): return username


class Refresh(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    INCLUDE_NEW_REFRESH_TOKEN = True
    def authenticate_refresh_token(self, text): return Token()
    def authenticate_user(self, token): return "ann"
    def revoke_old_credential(self, token): pass


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(
    app, query_client=lambda name: Client(), save_token=lambda token, request: None)
server.register_grant(Password)
server.register_grant(Refresh)
app.post("/oauth/token")(server.create_token_response)

for name in ["Authlib", "Flask"]:
    print(name, version(name))
client = app.test_client()
first = client.post("/oauth/token", data={
    "grant_type": "password", "client_id": "app", "username": "ann", "password": "secret"})
second = client.post("/oauth/token", data={
    "grant_type": "refresh_token", "client_id": "app",
    "refresh_token": first.json["refresh_token"]})
print("sign-in", first.status_code, first.json["expires_in"])
print("refresh", second.status_code, second.json["expires_in"])
assert (first.json["expires_in"], second.json["expires_in"]) == (864000, 3600)
print("as stated")
PYTHON
"$folder/venv/bin/python" "$folder/ask.py"

#!/usr/bin/env bash
# glewlwyd 2.7.5: a dead refresh token and a wrong client secret get one response, 400 without a body.
#
# RFC 6749, 5.2, has "error": "invalid_grant" for the first and "invalid_client" for the second. The
# OpenID Connect plugin of this server, as Debian 12 has it, sends neither. So no client can tell a
# user who must sign in again from a deployment with a wrong secret, and four clients report the dead
# refresh token in four ways. Two of Authlib's clients let an error of a JSON parser through; in the
# one built on requests it is a RequestException, as a lost connection is: an app that tries those
# again later keeps a user for ever who can only sign in again.
#
# Expected below: 400 and 0 bytes for both, and for the clients JSONDecodeError, JSONDecodeError,
# MissingTokenError, InvalidTokenResponse.
# Exits with 1 if that changes. Needs Debian 12 on x86-64 with apt-get, python3 and PyPI; nothing is
# installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT

mkdir "$folder/packages" "$folder/root"
(cd "$folder/packages" && apt-get -q download glewlwyd=2.7.5-3+deb12u1 \
    glewlwyd-common=2.7.5-3+deb12u1 sqlite3 libconfig9 libmariadb3 liborcania2.3 libyder2.0 \
    libhoel1.4 librhonabwy1.1 libmicrohttpd12 libulfius2.7 libiddawc1.1 liboath0 libcbor0.8 \
    libjansson4 libpq5 libldap-2.5-0 libsasl2-2 libcurl3-gnutls >"$folder/apt.txt" 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/packages/*.deb; do dpkg -x "$package" "$folder/root"; done
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install authlib==1.6.5 httpx==0.28.1 requests-oauthlib==2.0.0 \
    oauthlib==3.3.1 requests-oauth2client==1.7.0

export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu"
usr="$folder/root/usr"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])')
zcat "$usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz" | "$usr/bin/sqlite3" "$folder/db"
zcat "$usr/share/doc/glewlwyd/glewlwyd.conf.sample.gz" |
    sed -e "s#/usr/\(lib\|share\)/glewlwyd#$usr/\1/glewlwyd#; s#/var/cache.*db#$folder/db#
            s/^port=.*/port=$port/; s/cookie_secure=1/cookie_secure=0/" >"$folder/conf"
"$usr/bin/glewlwyd" --config-file="$folder/conf" >"$folder/server.txt" 2>&1 &
server=$!
unset LD_LIBRARY_PATH

cat >"$folder/try.py" <<'PYTHON'
import json, os, sys, time, urllib.error, urllib.parse, urllib.request
from importlib.metadata import version

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.integrations.httpx_client import OAuth2Client as AuthlibHTTPX
from authlib.integrations.requests_client import OAuth2Session as AuthlibRequests
from requests.exceptions import RequestException
from requests_oauth2client import OAuth2Client
from requests_oauthlib import OAuth2Session

base = f"http://localhost:{sys.argv[1]}/api"
cookie = ""


def administer(path, value):
    global cookie
    request = urllib.request.Request(base + path, json.dumps(value).encode(), {
        "Content-Type": "application/json", "Cookie": cookie})
    with urllib.request.urlopen(request) as response:
        cookie = (response.headers.get("Set-Cookie") or cookie).split(";")[0]


for _ in range(100):
    try:
        administer("/auth/", {"username": "admin", "password": "password"})
        break
    except urllib.error.URLError:
        time.sleep(0.1)
administer("/scope", {"name": "read", "display_name": "r", "description": "r", "scheme": {},
                      "password_required": False})
administer("/user", {"username": "ada", "name": "Ada", "email": "ada@example.com",
                     "enabled": True, "password": "password", "scope": ["read"]})
administer("/client", {
    "client_id": "app", "name": "App", "confidential": True, "enabled": True,
    "client_secret": "secret", "password": "secret", "scope": ["read"],
    "authorization_type": ["password", "refresh_token"],
    "token_endpoint_auth_method": ["client_secret_basic", "client_secret_post"]})
administer("/mod/plugin/", {
    "module": "oidc", "name": "oidc", "display_name": "oidc", "order_rank": 0, "parameters": {
        "iss": base, "jwt-type": "sha", "jwt-key-size": "256", "key": "k" * 40,
        "access-token-duration": 60, "refresh-token-duration": 600, "code-duration": 60,
        "refresh-token-rolling": True, "refresh-token-one-use": "always", "allow-non-oidc": True,
        "auth-type-code-enabled": False, "auth-type-code-revoke-replayed": False,
        "auth-type-token-enabled": False, "auth-type-id-token-enabled": True,
        "auth-type-none-enabled": False, "auth-type-password-enabled": True,
        "auth-type-client-enabled": False, "auth-type-refresh-enabled": True}})

url = base + "/oidc/token"


def ask(secret="secret", **fields):
    form = {"client_id": "app", "client_secret": secret, **fields}
    try:
        with urllib.request.urlopen(url, urllib.parse.urlencode(form).encode()) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


status, body = ask(grant_type="password", username="ada", password="password", scope="read")
refresh = json.loads(body)["refresh_token"]
assert ask(grant_type="refresh_token", refresh_token=refresh)[0] == 200
used = ask(grant_type="refresh_token", refresh_token=refresh)
wrong = ask("another", grant_type="refresh_token", refresh_token=refresh)
print("used refresh token:", used, " wrong client secret:", wrong)

token = {"access_token": "old", "refresh_token": refresh, "token_type": "bearer",
         "expires_at": time.time() - 5, "expires_in": -5}
of_app = {"client_id": "app", "client_secret": "secret"}
clients = {
    "Authlib": lambda: AuthlibRequests(**of_app, token=token, token_endpoint=url).get(base),
    "httpx": lambda: AuthlibHTTPX(**of_app, token=token, token_endpoint=url).get(base),
    "requests-oauthlib": lambda: OAuth2Session(
        "app", token=token, auto_refresh_url=url, auto_refresh_kwargs=of_app,
        token_updater=lambda token: None).get(base),
    "requests-oauth2client": lambda: OAuth2Client(
        url, **of_app, testing=True).refresh_token(refresh),
}
seen = {}
for package, call in clients.items():
    try:
        call()
    except Exception as error:
        seen[package] = type(error).__name__
        print(package, version(package), type(error).__module__, seen[package],
              "a RequestException" if isinstance(error, RequestException) else "")
raise SystemExit(
    (used, wrong) != ((400, b""), (400, b"")) or list(seen.values()) != [
        "JSONDecodeError", "JSONDecodeError", "MissingTokenError", "InvalidTokenResponse"])
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$port"

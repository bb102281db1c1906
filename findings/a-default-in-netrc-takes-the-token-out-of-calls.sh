#!/bin/bash
# requests 2.34.2 below google-auth 2.63.0, simple-salesforce 1.12.10 and office365 3.3.0: a default
# entry in .netrc takes the token out of each call; google-auth makes five requests of one, two of
# them for tokens.
#
# requests looks up each host in .netrc, and what it finds there replaces an Authorization header.
# An entry for a host of its own is seldom in the way; one that begins with default, as ftp and
# mirror scripts have it, is found for all hosts. These three put their token into the header, so
# their call goes out with somebody's ftp password in its place, on that one machine. The server
# answers 401, which is read as a token that has ended: google-auth refreshes, and once more, for
# each call, with that header at the token endpoint as well; simple-salesforce says that the session
# has expired. In the log of the server it is a client that cannot keep a token. requests-oauthlib
# 2.0.0, Authlib 1.9.10, PyGithub 2.10.0, python-gitlab 8.6.0 and jira 3.10.5 hand the token over as
# auth, and are not touched.
#
# Expected below, of one call with a good token: with the first three no request with the token, and
# 401, after 5 requests, 2 of them for tokens, with google-auth; with the others 1 request, with the
# token; with an empty .netrc the token is in each request of all. Exits with 1 if that changes. No
# request leaves the process. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile requests==2.34.2 google-auth==2.63.0 \
    simple-salesforce==1.12.10 office365-rest-python-client==3.3.0 \
    requests-oauthlib==2.0.0 Authlib==1.9.10 PyGithub==2.10.0 python-gitlab==8.6.0 jira==3.10.5
cat >"$folder/try.py" <<'PYTHON'
import json, logging, os, pathlib, sys, warnings
from importlib.metadata import version

warnings.simplefilter("ignore")
import github, gitlab, google.auth.transport.requests, google.oauth2.credentials, jira, requests
import requests_oauthlib, simple_salesforce
from authlib.integrations.requests_client import OAuth2Session
from office365.sharepoint.client_context import ClientContext

logging.disable()
file, arrived = pathlib.Path(sys.argv[1]) / "netrc", []
SITE, TOKEN = "https://api.example", {"access_token": "good", "token_type": "Bearer"}


def send(adapter, request, **_):
    is_token = request.url.endswith("token")
    has_token = request.headers.get("Authorization", "").split()[-1:] == ["good"]
    arrived.append("token" if is_token else "good" if has_token else "without")
    response = requests.Response()
    response.status_code = 200 if is_token or has_token else 401
    response.request, response.url, response.reason = request, request.url, "reason"
    response.headers["Content-Type"] = "application/json"
    response._content = json.dumps(TOKEN | {"expires_in": 3600, "login": "user", "d": {}}).encode()
    return response


requests.adapters.HTTPAdapter.send = send


def by_google():
    credentials = google.oauth2.credentials.Credentials(
        "good", refresh_token="r", token_uri=SITE + "/token", client_id="c", client_secret="s")
    google.auth.transport.requests.AuthorizedSession(credentials).get(SITE)


CALLS = {
    "google-auth": by_google,
    "simple-salesforce": lambda: simple_salesforce.Salesforce(
        instance="api.example", session_id="good").query("q"),
    "office365-rest-python-client": lambda: ClientContext(SITE).with_access_token(
        lambda: TOKEN).web.get().execute_query(),
    "requests-oauthlib": lambda: requests_oauthlib.OAuth2Session("c", token=TOKEN).get(SITE),
    "Authlib": lambda: OAuth2Session("c", token=TOKEN).get(SITE),
    "PyGithub": lambda: github.Github(auth=github.Auth.Token("good"), retry=None).get_user().login,
    "python-gitlab": lambda: gitlab.Gitlab(SITE, oauth_token="good").http_get("/user"),
    "jira": lambda: jira.JIRA(SITE, token_auth="good", get_server_info=False).myself(),
}


def play(text):
    file.write_text(text)
    file.chmod(0o600)
    os.environ["NETRC"] = str(file)
    seen = []
    for call in CALLS.values():
        arrived.clear()
        try:
            call()
        except Exception:
            pass
        seen.append([arrived.count(kind) for kind in ("good", "without", "token")])
    return seen


plain, default = play(""), play("default login anonymous password user@host.example\n")
for name, seen in zip(CALLS, default):
    print(f"{name} {version(name)}: requests with the token {seen[0]}, without {seen[1]},",
          f"for tokens {seen[2]}")
is_plain = all(good and not without + tokens for good, without, tokens in plain)
raise SystemExit(not is_plain or default != [[0, 3, 2]] + [[0, 1, 0]] * 2 + [[1, 0, 0]] * 5)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"

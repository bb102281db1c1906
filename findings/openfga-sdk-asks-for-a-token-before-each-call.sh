#!/usr/bin/env bash
# openfga-sdk 0.10.5: where tokens live five minutes, each call asks for a token of its own.
#
# A token counts as over 300 s before its end, and up to 300 s more that are drawn for each, however
# short it lives. So one of 300 s or less is never used again, and one of less than 600 s now and
# then not: a storm at the issuer that no error tells of.
#
# Expected below: ten calls at one moment send ten requests for a token where it lives 300 s, and
# one where it lives an hour. Exits with 1 if that changes. No request leaves the process. Needs
# python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install openfga-sdk==0.10.5
cat >"$folder/try.py" <<'PYTHON'
import json, types
from importlib.metadata import version

from openfga_sdk.configuration import Configuration
from openfga_sdk.credentials import CredentialConfiguration, Credentials
from openfga_sdk.sync.oauth2 import OAuth2Client


class Issuer:
    def __init__(self, life): self.life, self.requests = life, 0

    def request(self, **_):
        self.requests += 1
        token = {"access_token": f"token-{self.requests}", "expires_in": self.life}
        return types.SimpleNamespace(status=200, data=json.dumps(token))


seen = []
for life in (300, 3600):
    issuer = Issuer(life)
    client = OAuth2Client(
        Credentials(method="client_credentials", configuration=CredentialConfiguration(
            client_id="client", client_secret="secret", api_issuer="http://localhost/token",
            api_audience="api")),
        Configuration(api_url="http://localhost"))
    for _ in range(10):
        client.get_authentication_header(issuer)
    seen.append(issuer.requests)
    print(f"openfga-sdk {version('openfga-sdk')}: tokens of {life} s: {issuer.requests} requests",
          "for 10 calls")
raise SystemExit(0 if seen == [10, 1] else 1)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

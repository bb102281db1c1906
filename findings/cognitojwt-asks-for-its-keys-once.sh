#!/bin/bash
# cognitojwt 1.4.1: an API that starts while the key endpoint is busy refuses each token until it is
# restarted; and so it does when a new key comes.
#
# decode() takes the keys of the user pool by a function that is cached for good: it is called once
# in the life of a process, and whatever came is kept. A 429 or 503 with a JSON body is kept as a
# set of keys that is None, and each token after it fails with TypeError, which no handler of
# CognitoJWTException sees: 500 for all users, from one busy moment of another service on, with no
# further request to it. A key that is added later does not exist for the process, and each token it
# signs is "Public key not found". Neither is in the README, which has the endpoint as where the
# keys are taken from. PyJWT 2.15.1 asks again, and finds the new key.
#
# Expected below, of six good tokens and an endpoint that answers 503 once: cognitojwt sends 1
# request and accepts none, PyJWT 2 requests and 5; of three tokens of the first key and three of
# one that is added then: 1 request and 3 accepted with cognitojwt, 2 and 6 with PyJWT. Exits with 1
# if that changes. The server is on this machine; needs python3 and PyPI; everything stays in a
# temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile "cognitojwt[sync]==1.4.1" "PyJWT[crypto]==2.15.1" \
    python-jose==3.5.0
cat >"$folder/try.py" <<'PYTHON'
import collections, http.server, json, os, threading, time
from importlib.metadata import version

import cognitojwt, jwt
from cognitojwt import jwt_sync
from cryptography.hazmat.primitives.asymmetric import rsa

KEYS = {kid: rsa.generate_private_key(65537, 2048) for kid in ("first", "second")}


class Server(http.server.BaseHTTPRequestHandler):
    arrived, failures, published = 0, 0, ["first"]

    def log_message(self, *_): pass

    def do_GET(self):
        Server.arrived += 1
        is_busy = Server.arrived <= self.failures
        body = json.dumps({"message": "busy"} if is_busy else {"keys": [
            jwt.algorithms.RSAAlgorithm.to_jwk(KEYS[kid].public_key(), as_dict=True)
            | {"kid": kid, "alg": "RS256", "use": "sig"} for kid in self.published]}).encode()
        self.send_response(503 if is_busy else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = os.environ["AWS_COGNITO_JWKS_PATH"] = f"http://127.0.0.1:{server.server_port}/jwks.json"


def token(kid):
    claims = {"token_use": "access", "client_id": "client", "exp": int(time.time()) + 3600}
    return jwt.encode(claims, KEYS[kid], "RS256", headers={"kid": kid})


def by_cognitojwt():
    jwt_sync.get_keys.cache_clear()  # a new process
    return lambda value: cognitojwt.decode(value, "eu-west-1", "pool", "client")


def by_pyjwt():
    client = jwt.PyJWKClient(url, cooldown_duration=0)
    return lambda value: jwt.decode(
        value, client.get_signing_key_from_jwt(value).key, algorithms=["RS256"])


def play(make, failures, tokens):
    Server.arrived, Server.failures, Server.published = 0, failures, ["first"]
    check, ends = make(), collections.Counter()
    for kid in tokens:
        Server.published = sorted({*Server.published, kid})
        try:
            check(token(kid))
            ends["accepted"] += 1
        except Exception as error:
            ends[type(error).__name__] += 1
    return Server.arrived, dict(ends)


print("cognitojwt", version("cognitojwt"), "- PyJWT", version("PyJWT"))
seen = []
for name, failures, tokens in (
    ("503 once", 1, ["first"] * 6), ("a second key", 0, ["first"] * 3 + ["second"] * 3),
):
    for package, make in (("cognitojwt", by_cognitojwt), ("PyJWT", by_pyjwt)):
        seen.append(play(make, failures, tokens))
        print(f"{name}, {package}: {seen[-1][0]} requests,",
              *(f"{count} × {end}" for end, count in seen[-1][1].items()))
raise SystemExit(seen != [
    (1, {"TypeError": 6}), (2, {"PyJWKClientConnectionError": 1, "accepted": 5}),
    (1, {"accepted": 3, "CognitoJWTException": 3}), (2, {"accepted": 6})])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

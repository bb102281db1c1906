#!/bin/bash
# PyJWT 2.15.1, joserfc 1.8.0 and Authlib 1.9.10: an API whose clock is two seconds behind refuses
# each new token, and a client that refreshes at a 401 does so for ever.
#
# iat says when a token was made. RFC 7519, 4.1.6, has no rule that a token be refused for it, as it
# has for exp and nbf. These three do: a token that was "made in the future", by their clock, is
# refused until that moment, with a leeway of 0. So behind a clock that is two seconds late each
# token is bad for its first two seconds. A client that takes the 401 for an ended token gets
# another one, which is newer and refused as well: it never has one that is two seconds old, and the
# token endpoint gets a request for each call. One that waits and sends its first token again is
# served. Tests with one clock do not show it. python-jose 3.5.0 and jwcrypto 1.6.1 take the token.
#
# Expected below, of an issuer that is 2 s ahead of the API, and a client that calls every 0.1 s and
# refreshes at each 401, for 10 s: with three of them 101 tokens and no call that succeeds, with the
# others 1 token and 100 calls; the first token alone, kept, is good for all after at most 2.1 s.
# Exits with 1 if that changes. Time is the script's own and no request leaves the process. Needs
# python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile PyJWT==2.15.1 python-jose==3.5.0 jwcrypto==1.6.1 \
    joserfc==1.8.0 Authlib==1.9.10 time-machine==3.6.0
cat >"$folder/try.py" <<'PYTHON'
import time, warnings
from importlib.metadata import version

warnings.simplefilter("ignore")
import jose.jwt, joserfc.errors, joserfc.jwk, joserfc.jwt, jwcrypto.jwk, jwcrypto.jwt, jwt
import time_machine
from authlib.jose import errors as authlib_errors, jwt as authlib_jwt

KEY, BEGIN, AHEAD = "k" * 32, 1_900_000_000, 2
REFUSED = (jwt.ImmatureSignatureError, joserfc.errors.JoseError, authlib_errors.JoseError)


def py_jwt(token): jwt.decode(token, KEY, algorithms=["HS256"])
def python_jose(token): jose.jwt.decode(token, KEY, algorithms=["HS256"])
def jw_crypto(token): jwcrypto.jwt.JWT(jwt=token, key=jwcrypto.jwk.JWK.from_password(KEY))
def authlib(token): authlib_jwt.decode(token, KEY).validate()


def jose_rfc(token):
    claims = joserfc.jwt.decode(token, joserfc.jwk.OctKey.import_key(KEY), algorithms=["HS256"])
    joserfc.jwt.JWTClaimsRegistry().validate(claims.claims)


def issue():
    now = int(time.time()) + AHEAD
    return jwt.encode({"sub": "u", "iat": now, "exp": now + 3600}, KEY, "HS256")


def is_good(check, token):
    try:
        check(token)
    except REFUSED:
        return False
    return True


def play(check):
    with time_machine.travel(float(BEGIN), tick=False) as clock:
        first = token = issue()
        tokens, calls, kept = 1, 0, None
        for tenth in range(100):
            clock.move_to(BEGIN + tenth / 10 + 0.05)
            if kept is None and is_good(check, first):
                kept = tenth / 10
            if is_good(check, token):
                calls += 1
            else:
                token, tokens = issue(), tokens + 1
    return tokens, calls, kept


changed = False
for package, check, is_late in (
    ("PyJWT", py_jwt, True), ("joserfc", jose_rfc, True), ("Authlib", authlib, True),
    ("python-jose", python_jose, False), ("jwcrypto", jw_crypto, False),
):
    tokens, calls, kept = play(check)
    changed |= (tokens, calls) != ((101, 0) if is_late else (1, 100))
    changed |= not (1.5 < kept <= 2.1 if is_late else kept == 0)
    print(f"{package} {version(package)}: {tokens} tokens, {calls} of 100 calls succeed;",
          f"the first token is good from {kept} s on")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

#!/usr/bin/env bash
# PyJWT 2.15.1, python-jose 3.5.0, jwcrypto 1.6.1, joserfc 1.8.0 and Authlib 1.9.10: one token, and
# ends from the second before exp to a minute after it.
#
# RFC 7519, 4.1.4: a token must not be accepted "on or after" exp. PyJWT and joserfc keep to that;
# python-jose and Authlib take it for one second more, and jwcrypto, which python-keycloak checks
# tokens with, for a minute: its leeway is 60 s where the others have 0. With a fraction in exp,
# which the RFC allows, PyJWT is back by it: it cuts the fraction, and refuses a token that has 0.9
# s to live. As text, exp is taken by two, refused as a wrong claim by two, and TypeError by
# jwcrypto. So where a gateway and a service check with two of them, a token that ends is refused by
# one of the two alone: a refresh for it comes a minute late or beside a call that succeeds, and
# expiries counted in the two logs do not agree.
#
# Expected below: the last tenth of a second, counted from exp, at which each takes a token with an
# exp that is a whole number, one with a fraction of 0.9, and one as text. Exits with 1 if that
# changes. Time is the script's own; needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install PyJWT==2.15.1 python-jose==3.5.0 jwcrypto==1.6.1 joserfc==1.8.0 \
    Authlib==1.9.10 time-machine==3.6.0
cat >"$folder/try.py" <<'PYTHON'
import json, warnings
from importlib.metadata import version

warnings.simplefilter("ignore")
import joserfc.errors, joserfc.jwk, joserfc.jwt
import jose.jwt, jose.exceptions
import jwcrypto.jwk, jwcrypto.jwt
import jwt
import time_machine
from authlib.jose import errors as authlib_errors, jwt as authlib_jwt

KEY, END = "k" * 32, 1_900_000_000


def py_jwt(token): jwt.decode(token, KEY, algorithms=["HS256"])
def python_jose(token): jose.jwt.decode(token, KEY, algorithms=["HS256"])
def jw_crypto(token): jwcrypto.jwt.JWT(jwt=token, key=jwcrypto.jwk.JWK.from_password(KEY))
def authlib(token): authlib_jwt.decode(token, KEY).validate()


def jose_rfc(token):
    claims = joserfc.jwt.decode(token, joserfc.jwk.OctKey.import_key(KEY), algorithms=["HS256"])
    joserfc.jwt.JWTClaimsRegistry().validate(claims.claims)


EXPIRED = (jwt.ExpiredSignatureError, jose.exceptions.ExpiredSignatureError,
           jwcrypto.jwt.JWTExpired, joserfc.errors.ExpiredTokenError,
           authlib_errors.ExpiredTokenError)


def last_success(check, exp):
    """In tenths of a second after `exp`, or the error that is none of an expiry."""
    token = jwt.api_jws.encode(json.dumps({"exp": exp}).encode(), KEY, "HS256")
    last = None
    for tenth in range(-20, 700):
        with time_machine.travel(float(exp) + tenth / 10, tick=False):
            try:
                check(token)
                last = tenth
            except EXPIRED:
                break
            except Exception as error:
                return type(error).__name__
    return last


expected = {
    "PyJWT": (py_jwt, -1, -10, -1), "python-jose": (python_jose, 9, 0, 9),
    "jwcrypto": (jw_crypto, 600, 600, "TypeError"),
    "joserfc": (jose_rfc, -1, 0, "InvalidClaimError"),
    "Authlib": (authlib, 9, 0, "InvalidClaimError"),
}
seen = {}
for package, (check, *_) in expected.items():
    seen[package] = [last_success(check, exp) for exp in (END, END + 0.9, str(END))]
    print(package, version(package) + ", last success after exp, as a whole number, a fraction, a",
          "text:", *(f"{end / 10} s" if isinstance(end, int) else end for end in seen[package]))
raise SystemExit(seen != {package: ends for package, (_, *ends) in expected.items()})
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

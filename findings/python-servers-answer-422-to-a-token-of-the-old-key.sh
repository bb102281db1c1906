#!/bin/bash
# Flask-JWT-Extended 4.7.4 and Quart-JWT-Extended 0.1.0 answer 422 to a token of the key before,
# fastapi-jwt 0.3.0 answers 500, and AuthX 1.7.1 answers 422 to an ended one as well.
#
# RFC 6750, 3.1, has one response for a token that is "expired, revoked, malformed, or invalid for
# other reasons": 401, at which a client refreshes. When the signing key of a service is replaced,
# each token that is out is of the old key, and one refresh of each client would be the end of it.
# With these servers no client refreshes: a 422 is a mistake in what was sent, which is not to be
# repeated, a 500 an outage. So each app is broken until its token ends by the clock, or, where the
# client goes by the 401 alone, with AuthX for ever. An ended token is answered 401 by the first
# three, so that a test of the refresh passes. aiohttp-jwt 0.6.1 and litestar 2.25.0 answer 401.
#
# Expected below, of a token that has ended, one that was signed with another key, and none: the
# statuses 401 422 401 with the first two, 401 500 401 with fastapi-jwt, 422 422 401 with AuthX, 401
# thrice with aiohttp-jwt and litestar; 200 for a good one with all. Exits with 1 if that changes.
# Servers are on this machine or in the process; needs python3 and PyPI; everything stays in a
# temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile PyJWT==2.15.1 Flask==3.1.3 Quart==0.22.0 \
    Flask-JWT-Extended==4.7.4 Quart-JWT-Extended==0.1.0 fastapi==0.165.0 httpx==0.28.1 \
    fastapi-jwt==0.3.0 Authlib==1.9.10 authx==1.7.1 aiohttp==3.14.5 aiohttp-jwt==0.6.1 \
    litestar==2.25.0
cat >"$folder/try.py" <<'PYTHON'
import asyncio, logging, time, warnings
from importlib.metadata import version

warnings.simplefilter("ignore")
import aiohttp.test_utils, aiohttp.web, aiohttp_jwt, authx, fastapi, fastapi_jwt, flask
import flask_jwt_extended, httpx, jwt, litestar, litestar.security.jwt, quart, quart_jwt_extended

logging.disable()
KEY, NOW = "k" * 40, int(time.time())


def token(life, key=KEY):
    return jwt.encode({
        "sub": "user", "subject": {"id": 1}, "iat": NOW - 900, "nbf": NOW - 900, "jti": "j",
        "type": "access", "fresh": False, "exp": NOW + life}, key, "HS256")


TOKENS = {"ended": token(-300), "other key": token(900, "z" * 40), "none": None, "good": token(900)}
HEADERS = [{"Authorization": "Bearer " + value} if value else {} for value in TOKENS.values()]


def with_flask():
    app = flask.Flask("app")
    app.config["JWT_SECRET_KEY"] = KEY
    flask_jwt_extended.JWTManager(app)
    app.get("/")(flask_jwt_extended.jwt_required()(lambda: {}))
    return [app.test_client().get("/", headers=headers).status_code for headers in HEADERS]


async def with_quart():
    async def view(): return {}
    app = quart.Quart("app")
    app.config |= {"JWT_SECRET_KEY": KEY, "JWT_IDENTITY_CLAIM": "sub"}
    quart_jwt_extended.JWTManager(app)
    app.get("/")(quart_jwt_extended.jwt_required(view))
    return [(await app.test_client().get("/", headers=headers)).status_code for headers in HEADERS]


async def statuses(app):
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://api") as client:
        return [(await client.get("/", headers=headers)).status_code for headers in HEADERS]


async def with_fastapi_jwt():
    app, bearer = fastapi.FastAPI(), fastapi_jwt.JwtAccessBearer(secret_key=KEY)
    app.get("/", dependencies=[fastapi.Security(bearer)])(lambda: {})
    return await statuses(app)


async def with_authx():
    app, auth = fastapi.FastAPI(), authx.AuthX(authx.AuthXConfig(
        JWT_SECRET_KEY=KEY, JWT_ALGORITHM="HS256", JWT_TOKEN_LOCATION=["headers"]))
    auth.handle_errors(app)
    app.get("/", dependencies=[fastapi.Depends(auth.access_token_required)])(lambda: {})
    return await statuses(app)


async def with_aiohttp():
    async def view(request): return aiohttp.web.json_response({})
    app = aiohttp.web.Application(middlewares=[
        aiohttp_jwt.JWTMiddleware(secret_or_pub_key=KEY, algorithms=["HS256"])])
    app.router.add_get("/", view)
    server = aiohttp.test_utils.TestServer(app)
    async with aiohttp.test_utils.TestClient(server) as client:
        return [(await client.get("/", headers=headers)).status for headers in HEADERS]


async def with_litestar():
    @litestar.get("/", sync_to_thread=False)
    def view() -> dict: return {}
    async def user(token, connection): return {"id": 1}
    auth = litestar.security.jwt.JWTAuth[dict](token_secret=KEY, retrieve_user_handler=user)
    return await statuses(litestar.Litestar([view], on_app_init=[auth.on_app_init]))


changed = False
print("status of a token that is:", *TOKENS, sep=" · ")
for package, seen, expected in (
    ("Flask-JWT-Extended", with_flask(), [401, 422, 401, 200]),
    ("Quart-JWT-Extended", asyncio.run(with_quart()), [401, 422, 401, 200]),
    ("fastapi-jwt", asyncio.run(with_fastapi_jwt()), [401, 500, 401, 200]),
    ("authx", asyncio.run(with_authx()), [422, 422, 401, 200]),
    ("aiohttp-jwt", asyncio.run(with_aiohttp()), [401, 401, 401, 200]),
    ("litestar", asyncio.run(with_litestar()), [401, 401, 401, 200]),
):
    changed |= seen != expected
    print(package, version(package), *seen)
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

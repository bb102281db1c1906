#!/bin/bash
# Litestar 2.25.0, Pyramid 2.1 and Flask 3.1.3 (permanent sessions), with sessions in a cookie: a
# page that only reads, or does not touch its session, undoes the refresh of the request beside it.
#
# A web app that keeps its users' tokens in the session refreshes in one of the requests of a page.
# These three send the cookie again with responses whose request did not change it: Litestar with
# each, Pyramid with each that has read it, Flask with each of a permanent session. What they send
# is what that request began with. So where a slow request began before the refresh and ends after
# it, the browser has the old tokens again. The refresh token in them was used: at a server that
# rotates the next refresh is refused, or taken for theft, and the user is out, now and then, on
# slow pages alone. Starlette 1.10.0, and Flask with sessions that are not permanent, send a cookie
# only if something changed.
#
# Expected below, of two requests at one moment, of which the quicker one stores refresh token 2 in
# place of 1 and the other reads the session, or does not touch it: the token in the cookie after
# both is 1 and 1 with Litestar and with Flask's permanent sessions, 1 and 2 with Pyramid, 2 and 2
# with the others. Exits with 1 if that changes. Time is the script's own and no request leaves the
# process. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile "litestar[cryptography]==2.25.0" pyramid==2.1 \
    Flask==3.1.3 starlette==1.10.0 httpx==0.28.1 time-machine==3.6.0 \
    itsdangerous==2.2.0 setuptools==80.10.2
cat >"$folder/try.py" <<'PYTHON'
import asyncio, http.cookies, logging, warnings
from importlib.metadata import version

warnings.simplefilter("ignore")
import flask, httpx, litestar, time_machine, webob
from litestar.middleware.session.client_side import CookieBackendConfig
from pyramid.config import Configurator
from pyramid.session import SignedCookieSessionFactory
from starlette.applications import Starlette
from starlette.middleware.sessions import SessionMiddleware
from starlette.responses import JSONResponse
from starlette.routing import Route

logging.disable()


def visit(path, session, sign_in):
    """What the app does with its session; the same for each framework."""
    if path == "/sign-in":
        sign_in({"refresh": 1})
    elif path == "/refresh":
        session()["refresh"] = 2
    elif path == "/read":
        return {"refresh": session()["refresh"]}
    return {}


PATHS = "/sign-in", "/refresh", "/read", "/other"


def with_flask(is_permanent):
    app = flask.Flask("app")
    app.secret_key = "k"

    def sign_in(values):
        flask.session.permanent = is_permanent
        flask.session.update(values)

    def view(): return visit(flask.request.path, lambda: flask.session, sign_in)
    for path in PATHS:
        app.add_url_rule(path, path, view)

    def call(path, cookie):
        response = app.test_client(use_cookies=False).get(path, headers={"Cookie": cookie})
        return response.json, response.headers.getlist("Set-Cookie")
    return call


def with_pyramid():
    config = Configurator()
    config.set_session_factory(SignedCookieSessionFactory("k" * 64))

    def view(request):
        return visit(request.path, lambda: request.session,
                     lambda values: request.session.update(values))
    for path in PATHS:
        config.add_route(path, path)
        config.add_view(view, route_name=path, renderer="json")
    app = config.make_wsgi_app()

    def call(path, cookie):
        response = webob.Request.blank(path, headers={"Cookie": cookie}).get_response(app)
        return response.json, response.headers.getall("Set-Cookie")
    return call


def by_asgi(app):
    async def send(path, cookie):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://app") as client:
            response = await client.get(path, headers={"Cookie": cookie})
            return response.json(), response.headers.get_list("set-cookie")
    return lambda path, cookie: asyncio.run(send(path, cookie))


def with_litestar():
    @litestar.get(list(PATHS), sync_to_thread=False)
    def view(request: litestar.Request) -> dict:
        return visit(request.url.path, lambda: request.session, request.set_session)
    return by_asgi(litestar.Litestar(
        [view], middleware=[CookieBackendConfig(secret=b"k" * 16).middleware]))


def with_starlette():
    def view(request):
        return JSONResponse(visit(request.url.path, lambda: request.session,
                                  lambda values: request.session.update(values)))
    app = Starlette(routes=[Route(path, view) for path in PATHS])
    app.add_middleware(SessionMiddleware, secret_key="k")
    return by_asgi(app)


def play(call, slow_path):
    jar = {}

    def take(lines):
        for line in lines:
            jar.update({name: morsel.value for name, morsel in http.cookies.SimpleCookie(
                line).items()})

    def cookie(): return "; ".join(f"{name}={value}" for name, value in jar.items())
    with time_machine.travel(1_900_000_000.0, tick=False) as clock:
        take(call("/sign-in", "")[1])
        clock.shift(5)
        sent = cookie()  # both requests leave with the same cookie, the slow one ends last
        slow, quick = call(slow_path, sent), call("/refresh", sent)
        take(quick[1])
        take(slow[1])
        return call("/read", cookie())[0]["refresh"]


changed = False
for name, call, expected in (
    ("litestar", with_litestar(), (1, 1)), ("Flask, permanent", with_flask(True), (1, 1)),
    ("pyramid", with_pyramid(), (1, 2)), ("Flask", with_flask(False), (2, 2)),
    ("starlette", with_starlette(), (2, 2)),
):
    seen = play(call, "/read"), play(call, "/other")
    changed |= seen != expected
    print(f"{name} {version(name.split(',')[0])}: refresh token {seen[0]} after a request that",
          f"reads, {seen[1]} after one that does not touch the session")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

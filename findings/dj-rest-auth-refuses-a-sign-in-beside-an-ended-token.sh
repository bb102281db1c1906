#!/bin/bash
# dj-rest-auth 7.2.0 and djoser 2.3.5 with tokens of simplejwt 5.5.1: a sign-in with the right
# password, a sign-out, a sign-up and a reset of the password are refused with 401 when the request
# carries an ended token as well.
#
# These views take AllowAny for their permission, and leave the authentication to the project's
# default. That one runs first and raises for a token that has ended, before the view looks at the
# password. A client that puts its token into the header of each call, as an interceptor does, then
# cannot sign in: its answer to a 401 is a refresh, and where the refresh token has ended, too, a
# sign-in, which is refused for the token that it is to replace, until the app's data is deleted. A
# sign-out after a token's life is refused as well, and the refresh token that it was to revoke is
# good until its end. The refresh has no authentication class, and goes through; so do sign-in and
# refresh of simplejwt and djoser, and neither package says which views are of which kind.
#
# Expected below, of right requests without a header, with a good token and with an ended one, as
# statuses: sign-in of dj-rest-auth 200, 200, 401, its sign-out 200, 200, 401, after which the
# refresh token still brings a token, its reset of a password 200, 200, 401, a sign-up of djoser
# 201, 201, 401; sign-in of simplejwt and refresh of dj-rest-auth 200 each. Exits with 1 if that
# changes. No request leaves the process; needs python3 and PyPI; everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile dj-rest-auth==7.2.0 djoser==2.3.5 Django==5.2.19 \
    djangorestframework==3.18.3 djangorestframework-simplejwt==5.5.1 PyJWT==2.15.1
cat >"$folder/try.py" <<'PYTHON'
import datetime, itertools, json, logging
from importlib.metadata import version

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="k" * 40, ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "rest_framework",
                    "rest_framework_simplejwt.token_blacklist", "dj_rest_auth", "djoser"],
    REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework_simplejwt.authentication.JWTAuthentication"]},
    REST_AUTH={"USE_JWT": True, "JWT_AUTH_HTTPONLY": False, "SESSION_LOGIN": False,
               "TOKEN_MODEL": None})
django.setup()
logging.disable()
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import include, path
from rest_framework_simplejwt.tokens import AccessToken, RefreshToken
from rest_framework_simplejwt.views import TokenObtainPairView

urlpatterns = [path("", include("dj_rest_auth.urls")), path("djoser/", include("djoser.urls")),
               path("simplejwt/", TokenObtainPairView.as_view())]
call_command("migrate", verbosity=0)
ada = User.objects.create_user("ada", password="secret")
numbers = itertools.count()
good, ended = AccessToken.for_user(ada), AccessToken.for_user(ada)
ended.set_exp(lifetime=-datetime.timedelta(seconds=5))


def post(address, token, **form):
    headers = {} if token is None else {"HTTP_AUTHORIZATION": f"Bearer {token}"}
    return Client().post(address, json.dumps(form), "application/json", **headers).status_code


def sign_out(token):
    refresh = str(RefreshToken.for_user(ada))
    status = post("/logout/", token, refresh=refresh)
    return status, post("/token/refresh/", None, refresh=refresh)


calls = {
    "sign-in": lambda token: post("/login/", token, username="ada", password="secret"),
    "sign-out, and a refresh after it": sign_out,
    "reset": lambda token: post("/password/reset/", token, email="nil@mail.example"),
    "djoser's sign-up": lambda token: post(
        "/djoser/users/", token, username=f"user{next(numbers)}", password="correct horse 42"),
    "simplejwt's sign-in": lambda token: post(
        "/simplejwt/", token, username="ada", password="secret"),
    "refresh": lambda token: post(
        "/token/refresh/", token, refresh=str(RefreshToken.for_user(ada)))}
print(*(f"{name} {version(name)}" for name in (
    "dj-rest-auth", "djoser", "djangorestframework-simplejwt")))
seen = {}
for name, call in calls.items():
    seen[name] = [call(token) for token in (None, good, ended)]
    print(f"{name}: without a token {seen[name][0]}, with a good one {seen[name][1]},",
          f"with an ended one {seen[name][2]}")
raise SystemExit(list(seen.values()) != [
    [200, 200, 401], [(200, 401), (200, 401), (401, 200)], [200, 200, 401], [201, 201, 401],
    [200] * 3, [200] * 3])
PYTHON
"$folder/venv/bin/python3" -W ignore "$folder/try.py"

#!/usr/bin/env bash
# django-oauth-toolkit 3.4.1 with a grace period: a repeated refresh gets the token of the first
# one, and expires_in of a new one.
#
# REFRESH_TOKEN_GRACE_PERIOD_SECONDS is there for a client that lost the response to its refresh, or
# sent two at once: within it the same refresh token is taken again, and brings what the first
# refresh brought. The response has that access token, its refresh token and its scope; expires_in
# is the whole ACCESS_TOKEN_EXPIRE_SECONDS, as if it had begun now. A client that goes by the clock
# is refused for as long as lay between the two refreshes, at the end of each such token: with a
# grace period of two minutes up to two minutes. RFC 6749, 5.1, has expires_in as the life "from the
# time the response was generated".
#
# Expected below, of two refreshes with one refresh token, 100 s apart: one and the same access
# token, expires_in 300 twice, and a call 250 s after the second is refused with 403; without the
# repetition such a call is answered 200. Exits with 1 if that changes. Time is the script's own and
# no request leaves the process. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install Django==5.2.19 django-oauth-toolkit==3.4.1 time-machine==3.6.0
cat >"$folder/try.py" <<'PYTHON'
import datetime
from importlib.metadata import version

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="x" * 50, ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "oauth2_provider"],
    OAUTH2_PROVIDER={
        "ACCESS_TOKEN_EXPIRE_SECONDS": 300, "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": 120})
django.setup()

import time_machine
from django.contrib.auth.models import User
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import include, path
from django.utils import timezone
from oauth2_provider.decorators import protected_resource
from oauth2_provider.models import AccessToken, Application, RefreshToken

START = datetime.datetime(2030, 1, 1, tzinfo=datetime.timezone.utc)


@protected_resource()
def items(request):
    return HttpResponse()


urlpatterns = [path("items", items), path("", include("oauth2_provider.urls"))]
call_command("migrate", verbosity=0)
user = User.objects.create_user("ann")
app = Application.objects.create(
    client_id="app", client_type="public", authorization_grant_type="password", user=user)


def after(seconds):
    return time_machine.travel(START + datetime.timedelta(seconds=seconds), tick=False)


def refresh(token):
    return Client().post("/token/", {
        "grant_type": "refresh_token", "client_id": "app", "refresh_token": token}).json()


def status(token):
    return Client().get("/items", headers={"Authorization": f"Bearer {token}"}).status_code


def refreshed(name, times):
    with after(0):
        access = AccessToken.objects.create(
            user=user, application=app, token="old " + name, scope="read",
            expires=timezone.now() + datetime.timedelta(seconds=1))
        RefreshToken.objects.create(
            user=user, application=app, token=name, access_token=access)
    responses = []
    for time in times:
        with after(time):
            responses.append(refresh(name))
    with after(times[-1] + 250):
        end = status(responses[-1]["access_token"])
    tokens = len({response["access_token"] for response in responses})
    return tokens, [response["expires_in"] for response in responses], end


for name in ("Django", "django-oauth-toolkit"):
    print(name, version(name))
once, twice = refreshed("once", [0]), refreshed("twice", [0, 100])
for name, (tokens, lives, end) in (("one refresh", once), ("two refreshes", twice)):
    print(f"{name}: {tokens} access token, expires_in {lives},",
          f"a call 250 s after the last response is answered {end}")
raise SystemExit((once, twice) != ((1, [300], 200), (1, [300, 300], 403)))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

#!/bin/bash
# djangorestframework-simplejwt 5.5.1: the refresh of a user that was deleted is answered 500, so a
# client that knows a 401 from a 500 asks again for as long as the refresh token lives.
#
# TokenRefreshView looks the user up, to refuse one who may not sign in any more: is_active = False
# is answered 401, "No active account found for the given token", and a client shows the sign-in. A
# user who is no longer there is not a refusal but DoesNotExist, which nothing catches. An API call
# of the same user is answered 401, "User not found", which says: refresh. So the app of a deleted
# account refreshes at each call, is told that the server has failed, keeps its session, tries again
# later, on each of the user's devices, and the error monitor of the service counts an outage. The
# documents have 401 as the response to a refresh token that is not good.
#
# Expected below, of an API call and a refresh, with tokens that have not ended: 200 and 200, 401
# and 401 when the user is inactive, 401 and 500 when it is deleted; a client that refreshes at a
# 401, and signs out at a 401 of the refresh, sends 1 refresh in ten calls of the inactive user, 10
# of the deleted one. Exits with 1 if that changes. No request leaves the process. Needs python3 and
# PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile Django==5.2.19 djangorestframework==3.18.3 \
    djangorestframework-simplejwt==5.5.1
cat >"$folder/try.py" <<'PYTHON'
import logging
from importlib.metadata import version

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="k" * 40, ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "rest_framework"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [
            "rest_framework_simplejwt.authentication.JWTAuthentication"],
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"]})
django.setup()
logging.disable()
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import path
from rest_framework.decorators import api_view
from rest_framework.response import Response
from rest_framework_simplejwt.views import TokenObtainPairView, TokenRefreshView


@api_view(["GET"])
def orders(request): return Response([])


urlpatterns = [path("token", TokenObtainPairView.as_view()), path("orders", orders),
               path("refresh", TokenRefreshView.as_view())]
call_command("migrate", verbosity=0)
user = User.objects.create_user("user", password="password")
http = Client(raise_request_exception=False)
tokens = http.post("/token", {"username": "user", "password": "password"}).json()


def call(): return http.get("/orders", HTTP_AUTHORIZATION="Bearer " + tokens["access"]).status_code
def refresh(): return http.post("/refresh", {"refresh": tokens["refresh"]}).status_code


def refreshes_of_ten_calls():
    sent = 0
    for _ in range(10):
        if call() == 401:
            sent += 1
            if refresh() == 401:
                break  # the session is over, the app shows its sign-in
    return sent


seen = []
for state in ("active", "inactive", "deleted"):
    if state == "inactive":
        user.is_active = False
        user.save()
    elif state == "deleted":
        user.delete()
    seen.append((call(), refresh(), refreshes_of_ten_calls()))
    print("{}: call {}, refresh {}, {} refreshes in ten calls".format(state, *seen[-1]))
print("djangorestframework-simplejwt", version("djangorestframework-simplejwt"))
raise SystemExit(seen != [(200, 200, 0), (401, 401, 1), (401, 500, 10)])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

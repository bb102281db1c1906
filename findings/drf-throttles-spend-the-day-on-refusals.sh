#!/usr/bin/env bash
# Django REST framework 3.18.3, throttles of a minute and of a day: a client that repeats what the
# minute refuses has spent its day in two minutes, with 20 of its 100 requests served.
#
# The documents show the pair as BurstRateThrottle and SustainedRateThrottle. check_throttles asks
# all of them, also when the first has refused, and one that would allow a request writes it down.
# So each refusal by the minute is a request of the day: retries without a pause, for one screen,
# end in a Retry-After of almost a day. Neither the documents nor the response say that refused
# requests count, and in the other order it is the same. limits 5.8.0, below Flask-Limiter and
# slowapi, stops at the first refusal if it is asked in turn: 100 are served in ten minutes.
#
# Expected below, of a request each second for ten minutes, 10 a minute and 100 a day: 20 served and
# a last Retry-After of more than 23 hours, in both orders; with limits, asked in the same order,
# 100. Exits with 1 if that changes. Time is the script's own and no request leaves the process.
# Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install Django==5.2.19 djangorestframework==3.18.3 limits==5.8.0
cat >"$folder/try.py" <<'PYTHON'
import logging, time
from importlib.metadata import version

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="x" * 50, ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, INSTALLED_APPS=[],
    REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None})
django.setup()

from django.core.cache import cache
from django.test import Client
from django.urls import path
from limits import parse, storage, strategies
from rest_framework.response import Response
from rest_framework.throttling import AnonRateThrottle
from rest_framework.views import APIView

logging.disable()
now = 1_000_000.0


class Burst(AnonRateThrottle):
    scope, rate = "burst", "10/min"
    def timer(self): return now


class Sustained(AnonRateThrottle):
    scope, rate = "sustained", "100/day"
    def timer(self): return now


class First(APIView):
    throttle_classes = [Burst, Sustained]
    def get(self, request): return Response({})


class Second(First):
    throttle_classes = [Sustained, Burst]


urlpatterns = [path("burst", First.as_view()), path("sustained", Second.as_view())]


def ten_minutes(request):
    global now
    results = []
    for _ in range(600):
        now += 1
        results.append(request())
    return results


for name in ("Django", "djangorestframework", "limits"):
    print(name, version(name))
changed = False
for first in ("burst", "sustained"):
    cache.clear()
    seen = ten_minutes(lambda: Client().get("/" + first))
    served = sum(response.status_code == 200 for response in seen)
    last = int(seen[-1]["Retry-After"])
    changed |= served != 20 or last < 23 * 3600
    print(f"{first} first: {served} of 600 served, the last Retry-After is {last} s")
time.time = lambda: now
limiter = strategies.MovingWindowRateLimiter(storage.MemoryStorage())
pair = parse("10/minute"), parse("100/day")
served = sum(ten_minutes(lambda: all(limiter.hit(limit, "client") for limit in pair)))
changed |= served != 100
print(f"limits, one after the other: {served} of 600 served")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

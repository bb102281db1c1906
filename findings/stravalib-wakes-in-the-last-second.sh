#!/bin/bash
# stravalib 2.6.0: at a rate limit it keeps the data that has arrived for up to a quarter of an
# hour, and then goes on in the last second of the quarter, into the limit.
#
# The limiter, on by itself, looks at X-RateLimit-Usage of each response before the response is
# handed on. If the limit is used up it sleeps there: the caller of the last call that was allowed
# waits for the end of the quarter although its data is here, and one whose call was refused waits
# as long and is told of it afterwards. The sleep is 899 s less the whole seconds of the quarter, so
# it ends up to a second early; what it computes there is 0 s. So each call until the quarter is
# over is sent, refused, and raised at once, to who repeats as fast as the server answers. The
# documents say that the limiter waits "until the limit period expires".
#
# Expected below, of 3 calls a quarter and a server that answers in 0.05 s, from 10:05:00.4 on: the
# first two return at once, the third, answered 200, after 599 s; the fourth is refused at 10:14:59,
# and repeated more than five times with no pause until one is served, at 10:15:00. Exits with 1 if
# that changes. Time is the script's own and no request leaves the process. Needs python3 and PyPI;
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile stravalib==2.6.0 requests==2.34.2 time-machine==3.6.0
cat >"$folder/try.py" <<'PYTHON'
import datetime, logging, time
from importlib.metadata import version

import requests, time_machine
from stravalib import Client
from stravalib.exc import Fault

logging.disable()
LIMIT, QUARTER = 3, 900
start = datetime.datetime(2030, 1, 1, 10, 5, 0, 400_000, datetime.timezone.utc)
traveller = time_machine.travel(start, tick=False).start()
slept = []


def sleep(seconds):
    slept.append(seconds)
    traveller.shift(seconds)


time.sleep = sleep


class Strava(requests.adapters.BaseAdapter):
    counts = {}

    def close(self): pass

    def send(self, request, **_):
        traveller.shift(0.05)
        quarter = time.time() // QUARTER
        used = self.counts[quarter] = self.counts.get(quarter, 0) + 1
        response = requests.Response()
        response.status_code, response.request = 200 if used <= LIMIT else 429, request
        response.url, response._content = request.url, b"{}"
        response.headers = requests.structures.CaseInsensitiveDict({
            "X-RateLimit-Usage": f"{used},{used}", "X-RateLimit-Limit": f"{LIMIT},1000"})
        return response


session = requests.Session()
session.mount("https://", Strava())
client = Client(access_token="token", requests_session=session)
print("stravalib", version("stravalib"))
seen = []
while len(seen) < 4 or seen[-1][1] == 429:
    slept.clear()
    try: status = client.protocol.get("/athlete") == {} and 200
    except Fault as error: status = error.response.status_code
    at = datetime.datetime.now(datetime.timezone.utc)
    seen.append((at.strftime("%H:%M:%S"), status, sum(slept)))
    if len(seen) <= 4:
        print("call", len(seen), *seen[-1], "s of sleep")
refused = seen[3:-1]
print(f"{len(refused)} calls refused between {refused[0][0]} and {refused[-1][0]} with",
      f"{sum(call[2] for call in refused)} s of sleep, the next", *seen[-1][:2])
is_so = [call[1:] for call in seen[:3]] == [(200, 0), (200, 0), (200, 599)]
is_so &= len(refused) > 5 and {call[0] for call in refused} <= {"10:14:59", "10:15:00"}
is_so &= all(call[1:] == (429, 0) for call in refused) and seen[-1][:2] == ("10:15:00", 200)
raise SystemExit(not is_so)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

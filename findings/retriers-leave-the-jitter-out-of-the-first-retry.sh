#!/bin/bash
# retry 0.9.2 with jitter=(0, 1) and urllib3 2.8.0 with backoff_jitter=1: a thousand clients that
# fail at one moment come back at one moment.
#
# Jitter is there to spread retries: an outage ends calls of all clients at once, and without it
# their second attempts arrive together, and fail together. retry adds it to the pause after it has
# slept, so the first one is the bare delay, for each client, and the later ones carry the sum of
# what was drawn, doubled by the backoff. urllib3 draws for the third attempt and later ones, the
# second comes at once. The documents of retry have jitter as "extra seconds added to delay between
# attempts", those of urllib3 as added to its pauses, of which the first is none. tenacity 9.2.1,
# backoff 2.2.1, stamina 26.1.0 and redo 3.0.1 draw for the first pause too.
#
# Expected below, of a thousand clients that fail at once and have pauses of 1 s with a jitter of 1
# s: the most second attempts within one tenth of a second are 1,000 with two of them, less than 250
# with the others; the most third ones less than 250 with all. Exits with 1 if that changes. Pauses
# are noted and not slept, and no request leaves the process. Needs python3 and PyPI; everything
# stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile retry==0.9.2 urllib3==2.8.0 tenacity==9.2.1 \
    backoff==2.2.1 stamina==26.1.0 redo==3.0.1
cat >"$folder/try.py" <<'PYTHON'
import collections, logging, random, time
from importlib.metadata import version

import backoff, redo, retry.api, stamina, tenacity, urllib3

logging.disable()
random.seed(1)
pauses = []
time.sleep = pauses.append


def fail(): raise OSError("503")


def with_retry(): retry.api.retry_call(fail, tries=3, delay=1, backoff=2, jitter=(0, 1))
def with_backoff(): backoff.on_exception(backoff.expo, OSError, max_tries=3)(fail)()
def with_redo(): redo.retry(fail, attempts=3, sleeptime=1, jitter=1)


def with_urllib3():
    policy = urllib3.Retry(3, backoff_factor=1, backoff_jitter=1)
    for _ in range(2):
        policy = policy.increment("GET", "/", response=urllib3.HTTPResponse(status=503))
        slept = len(pauses)
        policy.sleep()
        if len(pauses) == slept:
            pauses.append(0)  # it did not sleep at all


def with_tenacity():
    tenacity.retry(wait=tenacity.wait_exponential_jitter(initial=1, jitter=1),
                   stop=tenacity.stop_after_attempt(3), sleep=time.sleep, reraise=True)(fail)()


def with_stamina():
    stamina.retry(on=OSError, attempts=3, wait_initial=1, wait_jitter=1)(fail)()


def most_together(moments):
    return max(collections.Counter(int(moment * 10) for moment in moments).values())


changed = False
for play in (with_retry, with_urllib3, with_tenacity, with_backoff, with_stamina, with_redo):
    name, second, third = play.__name__.removeprefix("with_"), [], []
    for _ in range(1000):
        pauses.clear()
        try:
            play()
        except OSError:
            pass
        second.append(pauses[0])
        third.append(pauses[0] + pauses[1])
    seen = most_together(second), most_together(third)
    is_bare = name in ("retry", "urllib3")
    changed |= seen[1] >= 250 or (seen[0] != 1000 if is_bare else seen[0] >= 250)
    print(f"{name} {version(name)}: of 1000 at most {seen[0]} second attempts and {seen[1]} third",
          "ones within a tenth of a second")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

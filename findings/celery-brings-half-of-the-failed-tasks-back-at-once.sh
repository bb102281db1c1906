#!/bin/bash
# celery 5.7.0 with retry_backoff=True: of a thousand tasks that one outage failed, five hundred
# come back without a pause, and the others in one moment a second later.
#
# The pause before a retry is drawn from zero to 1, 2, 4 and more seconds, in whole seconds: for the
# first retry that is 0 or 1, and nothing else. So the jitter that is to spread the tasks makes two
# peaks of them, the first while the server is still failing; the later ones are on full seconds as
# well, and one task in thirty makes all of its three retries without a pause. A Retry-After in the
# exception of the HTTP client is not seen. retry_backoff=10 is 0 to 10 s, one in eleven at once;
# with retry_jitter=False all come after one second. dramatiq 2.2.1 draws from 15 to 30 s, in
# milliseconds; huey 3.5.4 with retries=3 puts each back into the queue at once.
#
# Expected below, of a thousand tasks that fail at one moment: celery has pauses of 0 and 1 s, 400
# to 600 of each; with retry_backoff=10 11 different ones; without jitter one, of 1 s; dramatiq over
# 900 different ones of 15 to 30 s; huey none. Exits with 1 if that changes. Needs python3 and PyPI;
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile celery==5.7.0 dramatiq==2.2.1 huey==3.5.4
cat >"$folder/try.py" <<'PYTHON'
import collections, logging
from importlib.metadata import version

import celery, dramatiq
from celery.exceptions import Retry
from dramatiq.brokers.stub import StubBroker
from huey import MemoryHuey

logging.disable()
TASKS = 1000


class Unavailable(Exception):
    """What an HTTP client raises for a 503 with Retry-After: 60."""
    headers = {"Retry-After": "60"}


def by_celery(**options):
    app, pauses = celery.Celery("app", broker="memory://"), []

    @app.task(bind=True, autoretry_for=(Unavailable,), **options)
    def call(self): raise Unavailable

    def retry(exc, countdown, **_):
        pauses.append(countdown)  # in place of the message that a worker would send
        return Retry()

    call.retry = retry
    for _ in range(TASKS):
        try:
            call.run()
        except Retry:
            pass
    return collections.Counter(pauses)


def by_dramatiq():
    broker, pauses = StubBroker(), []

    @dramatiq.actor(broker=broker)
    def call(): pass
    retries = next(item for item in broker.middleware
                   if isinstance(item, dramatiq.middleware.Retries))
    broker.enqueue = lambda message, delay=None: pauses.append(delay / 1000)
    for _ in range(TASKS):
        retries.after_process_message(broker, call.message(), exception=Unavailable())
    return collections.Counter(pauses)


def by_huey():
    huey = MemoryHuey()

    @huey.task(retries=3)
    def call(): raise Unavailable
    for _ in range(TASKS):
        call()
    for _ in range(TASKS):
        huey.execute(huey.dequeue())
    return collections.Counter([0] * len(huey) + [1] * len(huey.scheduled()))


seen = {
    "celery, retry_backoff=True": by_celery(retry_backoff=True),
    "celery, retry_backoff=10": by_celery(retry_backoff=10),
    "celery, retry_jitter=False": by_celery(retry_backoff=True, retry_jitter=False),
    "dramatiq": by_dramatiq(), "huey": by_huey(),
}
for name, pauses in seen.items():
    print(f"{name} ({version(name.split(',')[0])}): {pauses[0]} at once,",
          f"{len(+pauses)} different pauses of {min(+pauses)} to {max(pauses)} s")
first, ten, plain, spread, none = seen.values()
raise SystemExit(not (
    {*first} == {0, 1} and 400 < first[0] < 600 and len(ten) == 11 and plain == {1: TASKS}
    and len(spread) > 900 and 15 <= min(spread) and max(spread) <= 30
    and none == {0: TASKS}))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

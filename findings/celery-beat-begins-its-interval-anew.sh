#!/bin/bash
# celery 5.7.0, beat in a container: a refresh every 55 minutes of a token of an hour is counted
# from the last start, so a deployment at minute 50 leaves a dead token for three quarters of an
# hour, and one every 50 minutes for ever.
#
# beat keeps the times of last runs in a file, celerybeat-schedule in its working directory. A new
# container has no file, so each entry begins with "has just run", and an interval, a number of
# seconds or a timedelta, has to pass once more. That beat is well, shows nothing in its log, and
# the more often a team deploys, or a scheduler moves its container, the less such a task runs: a
# node that is short of memory and restarts it each 50 minutes ends it altogether. crontab() goes by
# the clock on the wall, and is out of this but for a run that falls into the restart; so is a file
# on a volume. The documents say what the file is for, and not what a start without it does.
#
# Expected below, within a day of the simulated clock, of a task each 55 min: 26 runs without a
# restart; with one after 50 min the longest time without a run is 105 min; with one each 50 min 0
# runs; with the file kept 26 of those; with crontab(minute="*/50") and no file over 35. Exits with
# 1 if that changes. No request leaves the process. Needs python3 and PyPI; everything stays in a
# temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile celery==5.7.0
cat >"$folder/try.py" <<'PYTHON'
import datetime, itertools, pathlib, sys

import celery
from celery.beat import PersistentScheduler
from celery.schedules import crontab

DAY, STEP = datetime.timedelta(days=1), datetime.timedelta(seconds=30)
folder, number = pathlib.Path(sys.argv[1]), itertools.count()


def minutes(count): return datetime.timedelta(minutes=count)


def play(schedule, restarts, keeps=False):
    """Runs of one day, and the longest time in minutes without one, from its begin on."""
    app = celery.Celery("app", broker="memory://")
    app.conf.beat_schedule = {"refresh": {"task": "refresh", "schedule": schedule}}
    begin = now = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    app.now = lambda: now
    runs, file = [begin], folder / f"schedule-{next(number)}"

    def send(entry, **_):  # in place of the message to a worker
        if entry.name == "refresh":
            runs.append(now)
        return scheduler.reserve(entry)

    ends = [begin + minutes(count) for count in restarts] + [begin + DAY]
    for end in ends:
        if not keeps:
            file = folder / f"schedule-{next(number)}"  # a new container has no file
        scheduler = PersistentScheduler(app=app, schedule_filename=str(file), lazy=False)
        scheduler.apply_async = send
        while now < end:
            scheduler.tick()
            now += STEP
        scheduler.close()
    pauses = [later - earlier for earlier, later in itertools.pairwise([*runs, now])]
    return len(runs) - 1, round(max(pauses) / minutes(1))


print("celery", celery.__version__)
often = range(50, 24 * 60, 50)
seen = {
    "each 55 min": play(minutes(55), []),
    "each 55 min, one restart": play(minutes(55), [50]),
    "each 55 min, a restart each 50 min": play(minutes(55), often),
    "the same, with the file kept": play(minutes(55), often, keeps=True),
    "crontab, a restart each 50 min": play(crontab(minute="*/50"), often),
}
for name, (runs, longest) in seen.items():
    print(f"{name}: {runs} runs in a day, {longest} min at most without one")
well, once, never, kept, clock = seen.values()
raise SystemExit(not (
    well[0] == kept[0] == 26 and 104 <= once[1] <= 106 and never[0] == 0 and clock[0] > 35))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"

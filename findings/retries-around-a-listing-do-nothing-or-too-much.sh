#!/bin/bash
# A generator of pages with a decorator for retries, and a page that fails once: tenacity 9.2.1,
# backoff 2.2.1, retrying 1.4.2 and opnieuw 4.0.0 retry nothing; stamina 26.1.0 gives items twice.
#
# A listing is often a generator that asks for one page after the other. To call it runs none of its
# code, so a decorator that tries the call again sees it succeed; the request fails later, in the
# caller's loop, outside of it. Four of the five decorate it without a word, and the first 503 of a
# long listing ends it: a test of the decorator with a function passes. stamina does retry, from the
# first page, and its documents say so: what was handed out before comes again, and a caller that
# adds up, or creates a record for each item, has it twice. In both cases the number of requests is
# what shows it.
#
# Expected below, of pages of two, two and one items where the third fails once: with four of them 4
# items, 3 requests and the error; with stamina 9 items of 5, 6 requests and no error; with the
# decorator at the request of one page 5 items and 4 requests with each. Exits with 1 if that
# changes. Pauses are not slept and no request leaves the process. Needs python3 and PyPI;
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile tenacity==9.2.1 backoff==2.2.1 retrying==1.4.2 \
    opnieuw==4.0.0 stamina==26.1.0
cat >"$folder/try.py" <<'PYTHON'
import logging, time
from importlib.metadata import version

logging.disable()
time.sleep = lambda _: None
import backoff, opnieuw, retrying, stamina, tenacity

stamina.set_testing(False)
PAGES = [["a", "b"], ["c", "d"], ["e"]]
DECORATORS = {
    "tenacity": tenacity.retry(
        stop=tenacity.stop_after_attempt(5), sleep=time.sleep, reraise=True,
        retry=tenacity.retry_if_exception_type(OSError)),
    "backoff": backoff.on_exception(backoff.expo, OSError, max_tries=5),
    "retrying": retrying.retry(stop_max_attempt_number=5, wait_fixed=1),
    "opnieuw": opnieuw.retry(
        retry_on_exceptions=OSError, max_calls_total=5, retry_window_after_first_call_in_seconds=1),
    "stamina": stamina.retry(on=OSError, attempts=5, wait_initial=0.001, wait_max=0.001)}


def play(around_listing, around_request):
    requests, items, error = [], [], None

    @around_request
    def page(number):
        requests.append(number)
        if number == 2 and requests.count(2) == 1:
            raise OSError("503")
        return PAGES[number]

    @around_listing
    def listing():
        for number in range(len(PAGES)):
            yield from page(number)

    try:
        items.extend(listing())
    except OSError as problem:
        error = str(problem)
    return len(items), len(requests), error


def plain(function): return function


changed = False
for name, decorator in DECORATORS.items():
    listing, request = play(decorator, plain), play(plain, decorator)
    changed |= request != (5, 4, None)
    changed |= listing != ((9, 6, None) if name == "stamina" else (4, 3, "503"))
    print(f"{name} {version(name)}: around the listing {listing[0]} items of 5, {listing[1]}",
          f"requests, error {listing[2]}; around the request {request[0]}, {request[1]}",
          f"and {request[2]}")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

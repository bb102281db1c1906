#!/bin/bash
# jira 3.10.5, python-gitlab 8.6.0 and slack-sdk 3.48.0: a 429 or 503 whose Retry-After is a date is
# ValueError, without a retry and without a word of the rate limit.
#
# RFC 9110, 10.2.3, has two forms of the header, a number of seconds and a date, and what stands in
# front of an API, a gateway, a proxy or a page for maintenance, sends dates too. These three pass
# it to int(). Each of them retries by itself, or by the handler that its documents show, and has an
# error of its own for what it gives up; neither is reached. The caller gets "invalid literal for
# int()", which no handler for JIRAError, GitlabHttpError or SlackApiError catches: a job that would
# have waited half a minute ends as by a bug in its own code, and the status is in no log. urllib3
# 2.8.0, httpx-retries 0.6.0 and PyGithub 2.10.0 wait until the date.
#
# Expected below, of a GET that is answered 429 with a Retry-After 30 s ahead and then 200: with the
# date 1 request and ValueError with three of them, 2 requests and a pause of 20 to 40 s with the
# others; as a number of seconds 2 requests and a pause with all. Exits with 1 if that changes.
# Pauses are noted and not slept, the server is on this machine. Needs python3 and PyPI; everything
# stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile jira==3.10.5 python-gitlab==8.6.0 \
    slack-sdk==3.48.0 urllib3==2.8.0 httpx==0.28.1 httpx-retries==0.6.0 PyGithub==2.10.0
cat >"$folder/try.py" <<'PYTHON'
import email.utils, http.server, logging, threading, time
from importlib.metadata import version

import github, gitlab, httpx, httpx_retries, jira.resilientsession, slack_sdk, urllib3
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

logging.disable()
pauses = []
time.sleep = pauses.append


class Server(http.server.BaseHTTPRequestHandler):
    arrived, is_date = 0, False

    def log_message(self, *_): pass

    def do_GET(self):
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        Server.arrived += 1
        body = b'{"ok": true}'
        self.send_response(429 if Server.arrived == 1 else 200)
        self.send_header("Retry-After", email.utils.formatdate(time.time() + 30, usegmt=True)
                         if self.is_date else "30")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"


def with_jira(): jira.resilientsession.ResilientSession().get(url)
def with_gitlab(): gitlab.Gitlab(url).http_get("/projects")


def with_slack():
    client = slack_sdk.WebClient(token="token", base_url=url + "/")
    client.retry_handlers.append(RateLimitErrorRetryHandler(max_retry_count=2))
    client.api_test()


def with_urllib3():
    urllib3.PoolManager(retries=urllib3.Retry(3, status_forcelist=[429])).request("GET", url)


def with_httpx():
    retry = httpx_retries.Retry(total=3)
    httpx.Client(transport=httpx_retries.RetryTransport(retry=retry)).get(url)


def with_pygithub():
    github.Github(base_url=url, retry=github.GithubRetry(total=3), seconds_between_requests=None,
                  seconds_between_writes=None).get_user("user").login


def play(call, is_date):
    Server.arrived, Server.is_date = 0, is_date
    pauses.clear()
    try:
        call()
        end = "served"
    except ValueError as error:
        end = f"ValueError ({str(error)[:29]})"
    return end, Server.arrived, sum(pauses)


changed = False
for package, call, fails in (
    ("jira", with_jira, True), ("python-gitlab", with_gitlab, True),
    ("slack-sdk", with_slack, True), ("urllib3", with_urllib3, False),
    ("httpx-retries", with_httpx, False), ("PyGithub", with_pygithub, False),
):
    print(package, version(package))
    for is_date in (True, False):
        end, arrived, paused = play(call, is_date)
        if is_date and fails:
            changed |= not end.startswith("ValueError") or arrived != 1 or paused != 0
        else:
            changed |= end != "served" or arrived != 2 or not 10 < paused < 70
            changed |= is_date and not 20 < paused < 40
        print(f"  {'a date' if is_date else '30 s'}: {end}, {arrived} requests, {paused:.0f} s")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"

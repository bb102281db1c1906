#!/bin/bash
# LWP::UserAgent::Determined 1.07 (Perl, Debian 12): a POST that was too slow for the client is sent
# four times, and a 429, which asks for a retry, is not tried again.
#
# The module repeats after 408, 500, 502, 503 and 504, with pauses of 1, 3 and 15 s, whatever the
# method. LWP has no exceptions: what goes wrong in the client is a response of 500 as well, a
# time-out, a connection that ends without a response, a name that is not found, a certificate that
# is not trusted. So a payment that takes longer than the time-out is made four times, and a wrong
# certificate costs 19 s. Retry-After is not read, and 429 is not in the list: a client that would
# have to wait two seconds gives up. codes_to_determinate can be changed, but 500 of the server and
# of the client stay one code.
#
# Expected below, of a POST that takes 1.5 s with a time-out of 1 s, and of one whose response is
# lost: 4 requests each, and 500; of a POST that is answered 503 with Retry-After: 60: 4, with
# pauses of 1, 3 and 15 s; of a GET that is answered 429 with Retry-After: 2: 1. Exits with 1 if
# that changes. Pauses are noted and not slept, the server is on this machine. Needs Debian 12 with
# apt-get, perl and python3; nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download liblwp-useragent-determined-perl=1.07-3 libwww-perl \
    libhttp-message-perl libhttp-date-perl liburi-perl libencode-locale-perl libtimedate-perl \
    liblwp-mediatypes-perl libio-html-perl libclone-perl libtry-tiny-perl libnet-http-perl \
    libhttp-cookies-perl libhttp-negotiate-perl libhtml-parser-perl libhtml-tagset-perl \
    libfile-listing-perl libwww-robotrules-perl >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.pl" <<'PERL'
use strict;
use warnings;

our @pauses;
BEGIN { *CORE::GLOBAL::sleep = sub { push @pauses, $_[0]; $_[0] } }
use LWP::UserAgent::Determined;

my ($base, $method, $path) = @ARGV;
my $client = LWP::UserAgent::Determined->new(timeout => 1);
my $response = $method eq "POST" ? $client->post("$base/$path", {amount => 1})
    : $client->get("$base/$path");
print join(" ", $response->code, @pauses), "\n";
PERL
cat >"$folder/try.py" <<'PYTHON'
import http.server, os, pathlib, subprocess, sys, threading, time

folder = pathlib.Path(sys.argv[1])
root, arrived = folder / "root/usr", []
libraries = ":".join(map(str, [root / "share/perl5", *root.glob("lib/*/perl5/*")]))


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        arrived.append(self.path)
        if self.path == "/lost":
            return  # the work is done, and the connection ends
        time.sleep(1.5 if self.path == "/slow" else 0)
        try:
            self.send_response({"/503": 503, "/429": 429}.get(self.path, 200))
            self.send_header("Retry-After", "60" if self.path == "/503" else "2")
            self.send_header("Content-Length", "0")
            self.end_headers()
        except ConnectionError:
            pass

    do_GET = do_POST


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
changed = False
for method, path, expected in (
    ("POST", "slow", (4, "500 1 3 15")), ("POST", "lost", (4, "500 1 3 15")),
    ("POST", "503", (4, "503 1 3 15")), ("GET", "429", (1, "429")),
):
    arrived.clear()
    told = subprocess.run(
        ["perl", folder / "try.pl", f"http://127.0.0.1:{server.server_port}", method, path],
        env=os.environ | {"PERL5LIB": libraries}, check=True, capture_output=True, text=True)
    seen = len(arrived), told.stdout.strip()
    changed |= seen != expected
    print(f"{method} {path}: {seen[0]} requests; status and pauses: {seen[1]}")
raise SystemExit(changed)
PYTHON
python3 "$folder/try.py" "$folder"

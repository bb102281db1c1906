#!/usr/bin/env bash
# Swift 6.3.1 on Linux (FoundationNetworking): URLSession keeps a core busy while it waits for the first
# response of a connection; on a kept connection it sleeps as it should.
#
# libcurl asks for "writable" until it has sent the request, and for "readable" alone from then on; the
# session's write source stays, and a socket is always writable: epoll reports it at once, libcurl is
# asked, finds nothing, and the source is armed again, thousands of times a second. A long poll or a
# server in trouble costs such a client a core.
#
# Expected below, with responses after two seconds: the first GET takes more than 0.2 s of processor
# time (1.6 s on an idle machine), each further one less than 0.1 s.
# Exits with 1 if that changes. Needs swiftc and python3, no network; everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cat >"$folder/server.py" <<'PYTHON'
import http.server, time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        time.sleep(2)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_): pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
PYTHON
cat >"$folder/main.swift" <<'SWIFT'
import Foundation
import FoundationNetworking

func processorSeconds() -> Double {
    var used = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
    return Double(used.tv_sec) + Double(used.tv_nsec) / 1e9
}

var spans: [Double] = []
for number in 1...3 {
    let (began, used) = (Date(), processorSeconds())
    _ = try await URLSession.shared.data(from: URL(string: CommandLine.arguments[1])!)
    spans.append(processorSeconds() - used)
    let waited = Date().timeIntervalSince(began)
    print(String(format: "GET %d: %.2f s waited, %.2f s of processor time", number, waited, spans.last!))
}
exit(spans[0] > 0.2 && spans[1] < 0.1 && spans[2] < 0.1 ? 0 : 1)
SWIFT
swiftc --version 2>/dev/null | head -1
swiftc -swift-version 5 -O -o "$folder/client" "$folder/main.swift"
python3 "$folder/server.py" >"$folder/port" &
server=$!
while ! [ -s "$folder/port" ]; do sleep 0.1; done
"$folder/client" "http://127.0.0.1:$(cat "$folder/port")/"

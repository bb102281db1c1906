#!/bin/bash
# OkHttp 3.13.1 (Java, Debian 12): a POST whose response is lost is sent again if the name of the
# host has a second address, and not if it has one; no test against one machine shows it.
#
# retryOnConnectionFailure is on by itself, and documented as a way round unreachable addresses,
# stale pooled connections and proxies. After any IOException, RetryAndFollowUpInterceptor looks
# whether there is a route that it has not tried, by name of the host; whether the request had been
# sent counts for bodies that can be written once only, and for time-outs. So behind a name with two
# addresses, as those of load balancers in two zones are, a server that is restarted or dies under
# an order has it made at the other address as well, and the app sees one response of 200. With one
# address the same loss is an IOException. A POST that was answered 408 is repeated with one
# address, too, once; a time-out of reading is not. retryOnConnectionFailure(false) ends both.
#
# Expected below, as POSTs that arrive and the end: response lost, one address: 1 and an
# IOException; two addresses: 2, one at each, and 200; with a read time-out of 0.5 s and two
# addresses 1 and an exception; 408, one address: 2 and 200; two addresses and
# retryOnConnectionFailure(false): 1 and an IOException. Exits with 1 if that changes. The servers
# are in the same process; needs Debian 12 with apt-get and a Java development kit of 17 or later;
# nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -q download libokhttp-java=3.13.1-3 libokio-java >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/Try.java" <<'JAVA'
import java.io.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import okhttp3.*;

public class Try {
    enum Fault { LOST, SLOW, BUSY }

    static final List<String> arrived = Collections.synchronizedList(new ArrayList<>());
    static Fault fault;

    /** Reads orders; the first one of each play meets the fault, after it was read. */
    static void serve(ServerSocket server, String name) {
        while (true) try (Socket socket = server.accept()) {
            BufferedReader reader = new BufferedReader(
                new InputStreamReader(socket.getInputStream()));
            while (!reader.readLine().isEmpty()) { }
            reader.read(new char[5]);
            arrived.add(name);
            String status = "200 OK";
            if (arrived.size() == 1) {
                if (fault == Fault.LOST) continue;
                if (fault == Fault.SLOW) Thread.sleep(1500);
                if (fault == Fault.BUSY) status = "408 Request Timeout";
            }
            socket.getOutputStream().write(("HTTP/1.1 " + status
                + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").getBytes());
        } catch (IOException | InterruptedException error) {
            System.out.println(error);
        }
    }

    static String play(Fault given, int addresses, boolean retries, int port) {
        fault = given;
        arrived.clear();
        OkHttpClient client = new OkHttpClient.Builder().retryOnConnectionFailure(retries)
            .readTimeout(given == Fault.SLOW ? 500 : 5000, TimeUnit.MILLISECONDS)
            .dns(name -> List.of(InetAddress.getByName("127.0.0.1"),
                InetAddress.getByName("127.0.0.2")).subList(0, addresses)).build();
        String end;
        try {
            end = "" + client.newCall(new Request.Builder().url("http://shop.example:" + port + "/")
                .post(RequestBody.create(MediaType.get("text/plain"), "order")).build())
                .execute().code();
        } catch (IOException error) {
            end = error instanceof SocketTimeoutException ? "time-out" : "IOException";
        }
        String seen = arrived + ", " + end;
        System.out.println(given + ", addresses: " + addresses + ", retries: " + retries + ": "
            + seen);
        return seen;
    }

    public static void main(String[] arguments) throws IOException {
        ServerSocket one = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        int port = one.getLocalPort();
        ServerSocket two = new ServerSocket(port, 50, InetAddress.getByName("127.0.0.2"));
        new Thread(() -> serve(one, "first")).start();
        new Thread(() -> serve(two, "second")).start();
        System.out.println(okhttp3.internal.Version.userAgent());
        List<String> seen = List.of(
            play(Fault.LOST, 1, true, port), play(Fault.LOST, 2, true, port),
            play(Fault.SLOW, 2, true, port), play(Fault.BUSY, 1, true, port),
            play(Fault.LOST, 2, false, port));
        System.exit(seen.equals(List.of("[first], IOException", "[first, second], 200",
            "[first], time-out", "[first, first], 200", "[first], IOException")) ? 0 : 1);
    }
}
JAVA
timeout 60 java -cp "$folder/root/usr/share/java/okhttp.jar:$folder/root/usr/share/java/okio.jar" \
    "$folder/Try.java"

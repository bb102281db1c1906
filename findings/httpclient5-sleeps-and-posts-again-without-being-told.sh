#!/bin/bash
# Apache HttpClient 5.2.1 (Java, Debian 12), HttpClients.createDefault(): a call that is answered
# 503 with Retry-After: 3600 sleeps for an hour in its thread, and a POST is sent again. Version
# 4.5.14 returns the 503 at once.
#
# DefaultHttpRequestRetryStrategy is in place by itself. After a 429 or 503 it waits as told,
# without a bound, or a second, and sends the request again; methods are looked at after an
# exception, not after a response. No time-out ends the sleep; a response time-out shorter than the
# pause prevents it, and there is none by itself. So a service that moves from 4 to 5 by renaming
# its imports has, at the first maintenance window of an API, all threads of its own server asleep,
# and an order whose 503 came from a proxy that had passed it on is made twice.
#
# Expected below, of a POST that is answered 429 or 503: 2 requests with 5 and 1 with 4; with
# Retry-After: 3 the second after 3 s; of a GET with Retry-After: 3600, still asleep after 2 s; with
# a response time-out of 2 s, 503 within two seconds. Exits with 1 if that changes. The server is in
# the same process. Needs Debian 12 with apt-get and a Java development kit of 17 or later; nothing
# is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -q download libhttpclient5-java=5.2.1-1 libhttpcore5-java=5.2.1-1 \
    libhttpclient-java=4.5.14-1 libhttpcore-java=4.4.16-1 libslf4j-java libcommons-logging-java \
    libcommons-codec-java >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/Try.java" <<'JAVA'
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.client5.http.classic.methods.*;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.util.Timeout;

public class Try {
    static final AtomicInteger arrived = new AtomicInteger();
    static int status = 200;
    static String pause;

    static boolean play(String name, int requests, double pause, Callable<Integer> call)
            throws Exception {
        arrived.set(0);
        long began = System.nanoTime();
        int result = call.call();
        double took = (System.nanoTime() - began) / 1e9;
        System.out.printf("%s: %s requests, %.1f s, %d%n", name, arrived, took, result);
        return arrived.get() == requests && result == status
            && took >= pause && took < pause + 2;
    }

    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            arrived.incrementAndGet();
            if (pause != null) exchange.getResponseHeaders().set("Retry-After", pause);
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        var five = HttpClients.createDefault();
        var four = org.apache.http.impl.client.HttpClients.createDefault();
        boolean isAsExpected = true;
        five.execute(new HttpGet(address), response -> 0); // the first ones take longer
        four.execute(new org.apache.http.client.methods.HttpGet(address), response -> 0);
        for (int code : new int[] {429, 503}) for (String wait : new String[] {null, "3"}) {
            status = code;
            pause = wait;
            String of = "POST, " + code + ", Retry-After " + wait;
            isAsExpected &= play("5, " + of, 2, wait == null ? 0.9 : 2.9,
                () -> five.execute(new HttpPost(address), r -> r.getCode()));
            isAsExpected &= play("4, " + of, 1, 0, () -> four.execute(
                new org.apache.http.client.methods.HttpPost(address),
                r -> r.getStatusLine().getStatusCode()));
        }
        pause = "3600";
        var sleeper = new FutureTask<>(() -> five.execute(new HttpGet(address), r -> 0));
        new Thread(sleeper).start();
        Thread.sleep(2000);
        System.out.println("Retry-After 3600, still there after 2 s: " + !sleeper.isDone());
        isAsExpected &= !sleeper.isDone();
        HttpGet get = new HttpGet(address);
        get.setConfig(RequestConfig.custom().setResponseTimeout(Timeout.ofSeconds(2)).build());
        isAsExpected &= play("with a response time-out of 2 s", 1, 0,
            () -> five.execute(get, r -> r.getCode()));
        System.exit(isAsExpected ? 0 : 1);
    }
}
JAVA
jars=$folder/root/usr/share/java
path=$jars/slf4j-nop.jar:$jars/slf4j-api.jar:$jars/commons-codec.jar:$jars/commons-logging.jar
for name in httpclient5 httpcore5 httpcore5-h2 httpclient httpcore; do path+=:$jars/$name.jar; done
timeout 60 java -cp "$path" -Dorg.apache.commons.logging.Log=\
org.apache.commons.logging.impl.NoOpLog "$folder/Try.java"

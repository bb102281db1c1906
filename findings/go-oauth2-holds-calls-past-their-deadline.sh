#!/bin/bash
# golang.org/x/oauth2 0.3.0 (Debian 12): a call with a deadline of 0.3 s takes as long as the token
# endpoint, and behind an endpoint that fails the calls of a screen queue, each for all before it.
#
# A client of Config.Client() asks for its token in Transport.RoundTrip, before the request that
# carries the deadline exists. TokenSource.Token() has no context of the call, and ReuseTokenSource
# refreshes under a lock. So neither context.WithTimeout nor http.Client.Timeout ends a call while
# its token is refreshed, and there is no time-out of its own for the refresh. The error afterwards
# is "context deadline exceeded", or that of the endpoint, and a log shows a deadline of 0.3 s
# beside a call of minutes. Where the refresh fails, each waiting call tries again after the one
# before, one by one. The documents of package and method do not name it.
#
# Expected below, of deadlines of 0.3 s: a call whose token has ended, with an endpoint that takes 2
# s, returns an error after more than 1.8 s, with http.Client.Timeout too; with a good token and an
# API that takes 4 s after less than 2.5 s; of four calls at one moment, with an endpoint that fails
# after 1 s, the last returns after more than 3.5 s, and 4 refreshes were sent. Exits with 1 if that
# changes. Servers are on this machine; needs Debian 12 on x86-64 with apt-get; nothing is
# installed, everything stays in a temporary folder, 600 MB meanwhile.
set -euo pipefail
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
    golang-golang-x-oauth2-dev=0.3.0-1 golang-golang-x-net-dev=1:0.7.0+dfsg-1 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do
    dpkg -x "$package" "$folder/root"
    rm "$package"
done
cat >"$folder/main.go" <<'GO'
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"
)

const deadline = 300 * time.Millisecond

var refreshes int32

func server(pause time.Duration, status int, body string) string {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			atomic.AddInt32(&refreshes, 1)
		}
		time.Sleep(pause)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		w.Write([]byte(body))
	})).URL
}

func client(tokens string, life time.Duration) *http.Client {
	config := oauth2.Config{ClientID: "c", Endpoint: oauth2.Endpoint{
		TokenURL: tokens, AuthStyle: oauth2.AuthStyleInParams}}
	return config.Client(context.Background(), &oauth2.Token{
		AccessToken: "a", RefreshToken: "r", Expiry: time.Now().Add(life)})
}

func call(client *http.Client, url string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	request, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
	began := time.Now()
	_, err := client.Do(request)
	return time.Since(began), err
}

func main() {
	token := `{"access_token": "t", "expires_in": 3600}`
	slow, failing := server(2*time.Second, 200, token), server(time.Second, 503, `{}`)
	api, slowAPI := server(0, 200, `{}`), server(4*time.Second, 200, `{}`)

	ended, err1 := call(client(slow, -time.Hour), api)
	fmt.Printf("ended token, context: %.1f s, %v\n", ended.Seconds(), err1 != nil)
	limited := client(slow, -time.Hour)
	limited.Timeout = deadline
	began := time.Now()
	_, err2 := limited.Get(api)
	timeout := time.Since(began)
	fmt.Printf("ended token, Timeout: %.1f s, %v\n", timeout.Seconds(), err2 != nil)
	good, err3 := call(client(slow, time.Hour), slowAPI)
	fmt.Printf("good token, API that takes 4 s: %.1f s, %v\n", good.Seconds(), err3 != nil)

	refreshes = 0
	shared, last := client(failing, -time.Hour), time.Duration(0)
	var group sync.WaitGroup
	var lock sync.Mutex
	for i := 0; i < 4; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			took, _ := call(shared, api)
			lock.Lock()
			defer lock.Unlock()
			if took > last {
				last = took
			}
		}()
	}
	group.Wait()
	fmt.Printf("four calls, endpoint that fails: last %.1f s, %d refreshes\n",
		last.Seconds(), refreshes)
	if err1 == nil || err2 == nil || err3 == nil || refreshes != 4 ||
		ended < 1800*time.Millisecond || timeout < 1800*time.Millisecond ||
		good > 2500*time.Millisecond || last < 3500*time.Millisecond {
		os.Exit(1)
	}
}
GO
root=$folder/root/usr
env -C "$folder" GOROOT="$root/lib/go-1.19" GOPATH="$root/share/gocode" GOCACHE="$folder/cache" \
    GO111MODULE=off GOFLAGS= CGO_ENABLED=0 "$root/lib/go-1.19/bin/go" build -o play main.go
"$folder/play" 2>"$folder/log" || { cat "$folder/log"; exit 1; }

#!/bin/bash
# golang.org/x/time/rate 0.3.0 (Debian 12): callers that leave the queue of a limiter keep their
# places in it; who comes when it is empty again waits as if they were there, and nothing is sent.
#
# Wait takes a place in time, sleeps until then, and gives the place back if its context ends. But
# what was reserved after it is not given back with it, CancelAt computes: if fifty queue and leave
# in the order in which they came, as they do when people lose patience or a page is left with its
# calls, one place of fifty comes back, and the next caller waits five seconds for an API that has
# had no request for five seconds. One who queued alone gives its place back. So the limit, for
# which somebody pays, goes unused when it is needed. A context with a deadline that is too short is
# refused before it takes a place, so a test with a time-out does not show it; a user who closes a
# page is a cancelled context. The page of Reservation.Cancel has "as much as possible, considering
# that other reservations may have already been made"; that of Wait has none of it.
#
# Expected below, with 10 calls a second: if 50 callers queue and leave, the next one waits 4 to 5.5
# s; if one does, under 0.5 s; of 50 callers with deadlines of 0.05 s 48 or more are refused, and
# the next one waits under 0.5 s. Exits with 1 if that changes. Needs Debian 12 on x86-64 with
# apt-get; nothing is installed, everything stays in a temporary folder, 600 MB meanwhile.
set -euo pipefail
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
    golang-golang-x-time-dev=0.3.0-1 >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do
    dpkg -x "$package" "$folder/root"
    rm "$package"
done
cat >"$folder/main.go" <<'GO'
package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// next is the wait of who comes after callers that have joined by join and left by leave.
func next(callers int, join func(*rate.Limiter, int), leave func(int)) float64 {
	limiter := rate.NewLimiter(10, 1)
	limiter.Wait(context.Background())
	for i := 0; i < callers; i++ {
		join(limiter, i)
		time.Sleep(time.Millisecond)
	}
	for i := 0; i < callers; i++ {
		leave(i)
	}
	began := time.Now()
	limiter.Wait(context.Background())
	return time.Since(began).Seconds()
}

func main() {
	var contexts [50]context.Context
	var cancels [50]context.CancelFunc
	var left [50]sync.WaitGroup
	queue := func(limiter *rate.Limiter, i int) {
		contexts[i], cancels[i] = context.WithCancel(context.Background())
		left[i].Add(1)
		go func() { limiter.Wait(contexts[i]); left[i].Done() }()
	}
	leave := func(i int) { cancels[i](); left[i].Wait() }
	afterFifty, afterOne := next(50, queue, leave), next(1, queue, leave)
	refused := 0
	afterRefused := next(50, func(limiter *rate.Limiter, i int) {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		if limiter.Wait(ctx) != nil {
			refused++
		}
	}, func(int) {})
	fmt.Printf("50 queue and leave: the next one waits %.1f s\n", afterFifty)
	fmt.Printf("one queues and leaves: %.1f s\n", afterOne)
	fmt.Printf("%d of 50 with deadlines are refused: %.1f s\n", refused, afterRefused)
	if afterFifty < 4 || afterFifty > 5.5 || afterOne > 0.5 || refused < 48 ||
		afterRefused > 0.5 {
		os.Exit(1)
	}
}
GO
root=$folder/root/usr
env -C "$folder" GOROOT="$root/lib/go-1.19" GOPATH="$root/share/gocode" GOCACHE="$folder/cache" \
    GO111MODULE=off GOFLAGS= CGO_ENABLED=0 "$root/lib/go-1.19/bin/go" build -o play main.go
"$folder/play"

#!/bin/bash
# HTTParty 0.21.0 and rest-client 2.1.0 (Ruby, Debian 12): with a time-out of 1 s a GET, PUT or
# DELETE takes 2 s, and the server does the work twice.
#
# Below both is Net::HTTP, which sends a request of these methods once more, at once, also when no
# response came in time. That is in its documents, at max_retries; it is in those of neither client,
# which have `timeout` as how long to wait. So a server that has become too slow for its clients
# gets twice the load from that moment, of work for which no client waits any more, and what they
# report as 2 s is a limit of 1 s. HTTParty has an option max_retries, for which one has to read its
# source; rest-client has none. Excon 0.88.0 and HTTPClient 2.8.3, of the same language, send once
# and return after 1 s.
#
# Expected below, of a server that reads requests and does not respond, and a time-out of 1 s:
# requests that arrive for GET, PUT, DELETE and POST are 2 2 2 1 with the first two, which take at
# least 1.9 s for a GET, 1 1 1 1 with HTTParty and max_retries: 0, with Excon and with HTTPClient.
# Exits with 1 if that changes. The server is on this machine; needs Debian 12 on x86-64 with
# apt-get; nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download ruby3.1 libruby3.1 libyaml-0-2 ruby-httparty=0.21.0-1 \
    ruby-multi-xml ruby-mini-mime ruby-rest-client=2.1.0-3 ruby-http-accept ruby-http-cookie \
    ruby-domain-name ruby-unf ruby-unf-ext ruby-mime-types ruby-mime-types-data ruby-netrc \
    ruby-excon=0.88.0-1 ruby-httpclient=2.8.3+git20211122.4658227-1 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.rb" <<'RUBY'
require "socket"
require "excon"
require "httparty"
require "httpclient"
require "rest-client"

METHODS = %i[get put delete post]
arrived = 0
server = TCPServer.new("127.0.0.1", 0)
Thread.new do
  loop do
    Thread.new(server.accept) do |client|
      while (line = client.gets)
        arrived += 1 if line.end_with?(" HTTP/1.1\r\n")
      end
    end
  end
end
url = "http://127.0.0.1:#{server.addr[1]}/"
clients = {
  "HTTParty" => ->(method) { HTTParty.send(method, url, timeout: 1) },
  "HTTParty, max_retries: 0" =>
    ->(method) { HTTParty.send(method, url, timeout: 1, max_retries: 0) },
  "rest-client" => ->(method) { RestClient::Request.execute(method: method, url: url, timeout: 1) },
  "Excon" => ->(method) { Excon.send(method, url, read_timeout: 1) },
  "HTTPClient" => lambda do |method|
    client = HTTPClient.new
    client.receive_timeout = 1
    client.send(method, url)
  end
}
puts "Ruby #{RUBY_VERSION}, HTTParty #{HTTParty::VERSION}, rest-client #{RestClient::VERSION}, " \
     "Excon #{Excon::VERSION}, HTTPClient #{HTTPClient::VERSION}"
changed = false
clients.each do |name, call|
  took = 0
  counts = METHODS.map do |method|
    arrived = 0
    began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    begin
      call.(method)
    rescue StandardError, Timeout::Error
      took = Process.clock_gettime(Process::CLOCK_MONOTONIC) - began if method == :get
    end
    sleep 0.1
    arrived
  end
  repeats = ["HTTParty", "rest-client"].include?(name)
  changed |= counts != (repeats ? [2, 2, 2, 1] : [1, 1, 1, 1]) || (repeats && took < 1.9)
  puts "#{name}: #{METHODS.zip(counts).map { |pair| pair.join(" ") }.join(", ")} requests, " \
       "the GET returned after #{took.round(1)} s"
end
exit 1 if changed
RUBY
root=$folder/root/usr
lib=$root/lib/x86_64-linux-gnu
paths=$(printf '%s:' "$root"/share/rubygems-integration/*/gems/*/lib)
LD_LIBRARY_PATH=$lib RUBYLIB=$paths$root/lib/ruby/vendor_ruby:$root/lib/ruby/3.1.0:$lib/ruby/3.1.0:\
$lib/ruby/vendor_ruby/3.1.0 "$root/bin/ruby3.1" --disable-gems "$folder/try.rb"

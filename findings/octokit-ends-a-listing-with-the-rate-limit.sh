#!/bin/bash
# octokit 4.20.0 (Ruby, Debian 12) with auto_paginate: a listing whose last allowed request is its
# third has three of ten pages, and is returned as if it were all.
#
# Between two pages paginate() looks at X-RateLimit-Remaining, and ends its loop when that is 0.
# That page still has a link to the next one; nothing is raised, and what was read so far is the
# value. The first call after it raises TooManyRequests, so a script that lists and then compares,
# removes who is not in the list, or writes a report, has made its last call before. Which listing
# it is depends on what else uses the token, so the same job has 1,000 repositories on one day and
# 300 on the next. last_response.rels[:next], asked afterwards, tells a part from the whole. Without
# a check there the eleventh request would be answered 403, which does raise. The README has it
# "fetch and concatenate the results from every page".
#
# Expected below, of ten pages of 100: with 5,000 requests left 1,000 items of 10 requests; with 3
# 300 of 3, without an error, and a next page in the last response; with none TooManyRequests. Exits
# with 1 if that changes. No request leaves the process; needs Debian 12 on x86-64 with apt-get;
# nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -q download ruby3.1 libruby3.1 libyaml-0-2 ruby-octokit=4.20.0-1 \
    ruby-sawyer=0.8.2-2 ruby-addressable ruby-public-suffix ruby-faraday ruby-faraday-net-http \
    ruby-multipart-post ruby-ruby2-keywords >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.rb" <<'RUBY'
require "json"
require "octokit"

PAGES = 10

# Takes the place of the network: pages with links, and a limit that is used up.
class Server < Faraday::Adapter
  class << self
    attr_accessor :left, :arrived
  end

  def call(env)
    super
    page = env[:url].query.to_s[/\bpage=(\d+)/, 1].to_i
    page = 1 if page.zero?
    Server.arrived += 1
    remaining = Server.left - Server.arrived
    headers = { "Content-Type" => "application/json", "X-RateLimit-Limit" => "5000",
                "X-RateLimit-Remaining" => [remaining, 0].max.to_s,
                "X-RateLimit-Reset" => (Time.now.to_i + 1800).to_s }
    if page < PAGES
      headers["Link"] = "<https://api.github.com/orgs/example/repos?page=#{page + 1}>; rel=\"next\""
    end
    if remaining.negative?
      save_response(env, 403, '{"message": "API rate limit exceeded"}', headers)
    else
      items = (1..100).map { |number| { id: page * 100 + number } }
      save_response(env, 200, JSON.generate(items), headers)
    end
    @app.call(env)
  end
end
Faraday::Adapter.register_middleware(server: Server)
stack = Faraday::RackBuilder.new do |builder|
  builder.use Octokit::Response::RaiseError
  builder.adapter :server
end

seen = [5000, 3, 0].map do |left|
  Server.left = left
  Server.arrived = 0
  client = Octokit::Client.new(access_token: "token", auto_paginate: true, middleware: stack)
  begin
    items = client.organization_repositories("example").size
    is_part = !client.last_response.rels[:next].nil?
  rescue Octokit::TooManyRequests => error
    items = error.class.name
  end
  puts "octokit #{Octokit::VERSION}, #{left} requests left: #{items} of #{PAGES * 100}, " \
    "#{Server.arrived} requests, a next page: #{is_part.inspect}"
  [items, Server.arrived, is_part]
end
exit seen == [[1000, 10, false], [300, 3, true], ["Octokit::TooManyRequests", 1, nil]]
RUBY
root=$folder/root/usr
lib=$root/lib/x86_64-linux-gnu
paths=$(printf '%s:' "$root"/share/rubygems-integration/*/gems/*/lib)
LD_LIBRARY_PATH=$lib RUBYLIB=$paths$root/lib/ruby/vendor_ruby:$root/lib/ruby/3.1.0:$lib/ruby/3.1.0:\
$lib/ruby/vendor_ruby/3.1.0 "$root/bin/ruby3.1" --disable-gems -W0 "$folder/try.rb"

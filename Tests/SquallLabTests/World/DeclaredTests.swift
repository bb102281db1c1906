import SquallReport
import Testing

@testable import SquallLab

@Suite("An app and a service that a profile declares")
struct DeclaredTests {
    /// A declared world in which every step begins on an expired token, run for four minutes.
    struct Declared {
        var tokens = "{}"
        var service = #""form": "bearer""#
        var policy = #""accessLifetime": "5s""#
        var calls = #"[["posts", "profile", "notes"]]"#
        var initialTokens = "expired"

        var text: String {
            """
            { "schemaVersion": 1, "duration": "4m",
              "populations": [{ "app": "mine", "users": 20, "journeys": { "read": 1 },
                "thinkTime": "10s", "away": "20s", "arriveOver": "5s", "patience": "30s",
                "initialTokens": "\(initialTokens)" }],
              "apps": [{ "name": "mine", "tokens": \(tokens),
                "screens": [{ "name": "home", "calls": \(calls) }, { "name": "rest",
                  "calls": [["profile"]] }],
                "journeys": [{ "name": "read", "steps": ["home", "rest"] }] }],
              "backend": { "tokens": { \(policy) },
                "network": { "up": "40ms", "down": "40ms" },
                "service": { \(service), "endpoints": [
                  { "name": "posts", "path": "/posts", "rows": 20, "bytes": 500,
                    "list": { "by": "cursor", "objects": 50 } },
                  { "name": "pages", "path": "/pages", "rows": 20, "bytes": 100,
                    "list": { "by": "offset", "objects": 50 } },
                  { "name": "profile", "path": "/me", "serviceTime": "700ms" },
                  { "name": "notes", "path": "/me/notes/{id}", "bytes": 100 },
                  { "name": "open", "path": "/open", "needsToken": false }] } } }
            """
        }

        func summary(_ change: (String) -> String = { $0 }) throws -> RunSummary {
            try LoadRun(
                profile: try Profile.read(change(text)), named: "test",
                options: .init(replayCommand: "")
            ).run { _ in .continue }.summary
        }
    }

    private func refreshes(
        _ summary: RunSummary, _ step: String
    ) -> (steps: Int64, refreshes: Int64) {
        let rows = summary.expiredSteps.filter { $0.step == step }
        return rows.reduce((0, 0)) { ($0.0 + $1.expiredSteps, $0.1 + $1.refreshes) }
    }

    @Test("A design in which each refuses for itself refreshes for each call, a single flight once")
    func storm() throws {
        let naive = Declared(tokens: #"{ "singleFlight": false, "refreshesLate": true }"#)
        let storm = refreshes(try naive.summary(), "home")
        #expect(storm.steps > 20 && storm.refreshes == 3 * storm.steps)
        // The profile is told late; its refresh is saved by a look at the token that is there.
        let once = refreshes(try Declared().summary(), "home")
        #expect(once.steps > 20 && once.refreshes == once.steps)
        let late = Declared(tokens: #"{ "refreshesLate": true }"#)
        let again = refreshes(try late.summary(), "home")
        #expect(again.refreshes == 2 * again.steps)
    }

    @Test(
        "Tokens travel as every form says",
        arguments: [
            #""form": "bearer""#, #""form": "status419""#, #""form": "sessionCookie""#,
            #""form": "bearer", "token": { "query": "key" }"#,
            #""form": "bearer", "token": { "header": { "name": "X-Token" } }"#,
            #"""
            "form": "bearer", "expired": { "status": 498, "body": "late" },
            "refresh": { "method": "PUT", "path": "/v2/session", "token": { "body": "renew" } },
            "delivery": { "json": { "access": "at", "refresh": "rt" } }
            """#,
            #"""
            "form": "bearer",
            "refresh": { "path": "/renew", "token": { "cookie": "renewal" } },
            "delivery": { "each": { "access": { "body": "json" },
              "refresh": { "cookie": "renewal" } } }
            """#,
            #"""
            "form": "bearer",
            "refresh": { "path": "/renew", "token": { "cookie": "renewal" } },
            "delivery": { "each": { "access": { "body": "text" },
              "refresh": { "cookie": "renewal" } } }
            """#,
        ])
    func forms(service: String) throws {
        let summary = try Declared(service: service).summary()
        let home = refreshes(summary, "home")
        #expect(home.steps > 20 && home.refreshes == home.steps)
        #expect(summary.steps.allSatisfy { $0.failed == 0 && $0.hung == 0 && $0.count > 0 })
        #expect(summary.selfChecks.allSatisfy { $0.ok })
    }

    @Test("A clock ahead of expiry keeps every call from being refused")
    func clock() throws {
        var declared = Declared(tokens: #"{ "notices": ["clock"], "ahead": "1s" }"#)
        declared.policy = #""accessLifetime": "8s""#
        declared.initialTokens = "fresh"
        let summary = try declared.summary()
        #expect(summary.count(.expiredResponses) == 0)
        #expect(summary.count(.refreshes) > 20)
    }

    @Test("A strict server ends the session of a client that refreshes for each call")
    func strict() throws {
        var declared = Declared(tokens: #"{ "singleFlight": false, "refreshesLate": true }"#)
        declared.policy = #""accessLifetime": "5s", "refresh": "rotatingStrict""#
        #expect(try declared.summary().count(.sessionsLost) > 10)
        declared.tokens = "{}"
        #expect(try declared.summary().count(.sessionsLost) == 0)
    }

    @Test("A sign-in among the calls of a screen brings tokens, with which nothing is refused")
    func signIn() throws {
        let calls = #"[["logIn"], ["posts", "profile"]]"#
        let policy = #""accessLifetime": "1m""#
        let summary = try Declared(policy: policy, calls: calls).summary()
        #expect(summary.count(.expiredResponses) == 0 && summary.count(.refreshes) == 0)
        let signIns = summary.endpoints.filter { $0.endpoint == "logIn" }
        #expect(signIns.reduce(0) { $0 + $1.durationNanoseconds.count } > 20)
        #expect(summary.steps.allSatisfy { $0.failed == 0 && $0.count > 0 })
    }

    @Test("A sign-out among the calls of a screen ends the session, and the next visit signs in")
    func signOut() throws {
        let summary = try Declared(calls: #"[["posts"], ["logOut"]]"#).summary()
        func count(_ name: String) -> Int64 {
            summary.endpoints.filter { $0.endpoint == name }
                .reduce(0) { $0 + Int64($1.durationNanoseconds.count) }
        }
        #expect(count("logOut") >= 20 && count("logIn") > 0)
        #expect(summary.steps.allSatisfy { $0.failed == 0 && $0.count > 0 })
        #expect(summary.count(.sessionsLost) == 0)
    }

    @Test("Lists are read on by cursor and by offset to their end", arguments: ["posts", "pages"])
    func pages(list: String) throws {
        let call = #"{ "endpoint": "\#(list)", "page": "next" }"#
        let summary = try Declared(calls: "[[\(call)], [\(call)], [\(call)], [\(call)]]").summary()
        let items = summary.count(.items)
        #expect(items == 20 * 50, "20 people read 50 objects once")
    }

    @Test(
        "A call asks for an object that its list showed, and for none of an empty list",
        arguments: [("number", 20, 0.0), ("key", 20, 1.0), ("number", 0, 0.0)])
    func picks(member: String, rows: Int, failing: Double) throws {
        // The service refuses a text in place of a number, so it tells what was asked for.
        let notes = #""path": "/me/notes/{id}", "request": { "path": { "id": "{{number}}" } }"#
        let world = Declared(calls: #"[["posts"], ["notes"]]"#, initialTokens: "fresh")
        let summary = try world.summary {
            $0.replacing(
                #""rows": 20, "bytes": 500,"#,
                with: #""rows": \#(rows), "response": { "body": { "items": "{{rows}}" },"#
                    + #" "row": { "number": "{{number}}", "key": "title {{number}}" } },"#
            ).replacing(
                #""list": { "by": "cursor", "objects": 50 }"#, with: #""serviceTime": "9ms""#
            )
            .replacing(
                #""path": "/me/notes/{id}""#,
                with: notes + #", "response": { "body": {} }, "errors": [{ "status": 422 }],"#
                    + #" "picks": [{ "variable": "id", "list": "posts", "member": "\#(member)" }]"#)
        }
        let homes = summary.steps.filter { $0.step == "home" }
        let (all, failed) = homes.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.failed) }
        #expect((all > 20 || rows == 0) && Double(failed) == failing * Double(all))
        let asked = summary.endpoints.filter { $0.endpoint == "notes" }
        #expect(asked.contains { $0.durationNanoseconds.count > 0 } == (rows > 0))
    }

    @Test("Objects of a list that turns over are missed by offset and not by cursor")
    func turnover() throws {
        func missed(_ list: String) throws -> (readings: Int64, missed: Int64) {
            let call = #"{ "endpoint": "\#(list)", "page": "next" }"#
            let world = Declared(calls: "[[\(call)], [\(call)], [\(call)], [\(call)]]")
            let rows = try world.summary {
                $0.replacing(#""objects": 50"#, with: #""objects": 50, "turnover": "30ms""#)
            }.readings
            return rows.reduce((0, 0)) { ($0.0 + $1.counts.readings, $0.1 + $1.counts.missed) }
        }
        let offset = try missed("pages")
        #expect(offset.readings > 10 && offset.missed > offset.readings)
        let cursor = try missed("posts")
        #expect(cursor.readings > 10 && cursor.missed == 0)
    }

    @Test(
        "Cursors that never end or alternate show pages again",
        arguments: [("ends", 0), ("repeats", 20), ("alternates", 30)])
    func cursors(lastPage: String, again: Int64) throws {
        let call = #"[{ "endpoint": "posts", "page": "next" }]"#
        let calls = Array(repeating: call, count: 5).joined(separator: ", ")
        let world = Declared(calls: "[\(calls)]")
        let summary = try world.summary {
            $0.replacing(
                #""by": "cursor", "objects": 50"#,
                with: #""by": "cursor", "objects": 50, "lastPage": "\#(lastPage)""#)
        }
        let rows = summary.readings.map(\.counts)
        let (readings, repeated) = rows.reduce((0, 0)) { ($0.0 + $1.readings, $0.1 + $1.repeated) }
        #expect(readings > 10 && repeated >= again * readings / 2 && (again > 0 || repeated == 0))
        #expect(summary.findings.contains { $0.label == "reading.outOfOrder" } == (again > 0))
    }

    @Test("A declared call costs what its endpoint says")
    func cost() throws {
        let summary = try Declared(calls: #"[["profile"]]"#, initialTokens: "fresh").summary()
        let first = try #require(summary.steps.first { $0.step == "home" })
        #expect(first.count > 0)
        let slow = try Declared(calls: #"[["open"]]"#).summary()
        let open = try #require(slow.steps.first { $0.step == "home" })
        #expect(
            first.durationNanoseconds.maximum >= 780_000_000
                && open.durationNanoseconds.maximum < 700_000_000)
    }
}

extension RunSummary {
    fileprivate func count(_ metric: Metric) -> Int64 {
        if case .counter(let count)? = total(of: metric)?.values { count.count } else { 0 }
    }
}

@Suite("Wrong declarations of apps and services")
struct DeclaredProblemTests {
    static let cases: [(change: @Sendable (String) -> String, problem: String)] = [
        (
            { $0.replacing(#"["posts", "profile", "notes"]"#, with: #"["psots"]"#) },
            #"/apps/0/screens/0/calls/0/0|got "psots". Did you mean 'posts'?"#
        ),
        (
            { $0.replacing(#""steps": ["home", "rest"]"#, with: #""steps": ["homme"]"#) },
            #"/apps/0/journeys/0/steps/0|got "homme". Did you mean 'home'?"#
        ),
        (
            { $0.replacing(#""app": "mine""#, with: #""app": "mnie""#) },
            #"/populations/0/app|got "mnie". Did you mean 'mine'?"#
        ),
        (
            { $0.replacing(#""read": 1"#, with: #""raed": 1"#) },
            "/populations/0/journeys/raed|is not a journey of mine. Did you mean 'read'?"
        ),
        (
            { $0.replacing(#""tokens": {}"#, with: #""tokens": { "singleFlihgt": true }"#) },
            "/apps/0/tokens/singleFlihgt|is not a setting. Did you mean 'singleFlight'?"
        ),
        (
            { $0.replacing(#""path": "/me","#, with: #""path": "me","#) },
            #"/backend/service/endpoints/2/path|must begin with /"#
        ),
        (
            {
                $0.replacing(
                    #""name": "notes", "path": "/me/notes/{id}""#,
                    with: #""name": "notes", "path": "/posts""#)
            },
            "/backend/service/endpoints/3/path|GET /posts is another call of it already"
        ),
        (
            { $0.replacing(#""name": "mine", "tokens""#, with: #""name": "scrolly", "tokens""#) },
            #"/apps/0/name|"scrolly" is an app of this package's already"#
        ),
        (
            { $0.replacing(#""app": "mine""#, with: #""app": "scrolly""#) },
            "/populations/0/app|/backend/service stands in the place of all built-in servers"
        ),
        (
            {
                $0.replacing(
                    #""form": "bearer""#,
                    with: #""form": "bearer", "refresh": { "method": "GET" }"#)
            },
            "/backend/service/refresh/method|has no body in which"
        ),
    ]

    @Test(
        "A wrong declaration is reported with its line, its place and the way out",
        arguments: cases.indices)
    func problem(index: Int) throws {
        let (change, expected) = Self.cases[index]
        let parts = expected.split(separator: "|").map(String.init)
        let text = change(DeclaredTests.Declared().text)
        let error = #expect(throws: InvalidProfile.self) { try Profile.read(text) }
        let problems = try #require(error).problems
        let found = problems.first { $0.path == parts[0] && $0.message.contains(parts[1]) }
        #expect(found?.line != nil, "\(problems)")
    }

    @Test("An endpoint without a name makes no calls wrong")
    func unnamed() throws {
        let text = DeclaredTests.Declared().text.replacing(
            #"{ "name": "profile""#, with: #"{ "nme": "profile""#)
        let error = #expect(throws: InvalidProfile.self) { try Profile.read(text) }
        let paths = try #require(error).problems.map(\.path)
        #expect(paths == ["name", "nme"].map { "/backend/service/endpoints/2/\($0)" })
    }

    @Test("Apps without a service have nothing to call")
    func noService() throws {
        let text = """
            { "schemaVersion": 1, "populations": [{ "users": 1, "journeys": { "read": 1 } }],
              "apps": [{ "name": "mine", "screens": [{ "name": "home", "calls": [["posts"]] }],
                "journeys": [{ "name": "read", "steps": ["home"] }] }] }
            """
        let error = #expect(throws: InvalidProfile.self) { try Profile.read(text) }
        #expect(try #require(error).description.contains("apps needs /backend/service"))
    }
}

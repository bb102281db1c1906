import SquallHTTP
import SquallKernel
import TestSupport
import Testing

@testable import SquallBackend
@testable import SquallRaces

@Suite("The history of a wire")
struct WireTapTests {
    @Test("Each request has its tokens, its reply and its end, with what that brought")
    func events() throws {
        let pocket = PocketWorld(
            .none, ServerConfiguration(PocketUnderTest(), .strict),
            Schedule(FirstInFirstOut(), windowNanoseconds: 0))
        let client = pocket.startApp(life: 0)
        let ada = pocket.person("Ada", account: 0)
        _ = try pocket.run(for: .seconds(60)) {
            try await client.signIn(ada)
            pocket.expireAccessTokens()
            try await client.calls[0]()
            try await client.actions[.write]?()
        }
        pocket.tap.recorder.close(.still)
        let history = pocket.tap.recorder.history
        let lines = history.events.map { Self.line($0, of: history) }
        #expect(
            lines == [
                "sent logIn 1 – – write anonymous", "issued  -1 T0 –", "issued  -1 – R0",
                "served logIn 1 200 success – – write", "answered logIn 1 200 success T0 R0",
                "expired  -1 – –", "sent GET /posts 2 T0 –",
                "served GET /posts 2 401 expired T0 –", "answered GET /posts 2 401 expired – –",
                "sent refresh 3 – R0 write anonymous", "issued  -1 T1 –", "issued  -1 – R1",
                "served refresh 3 200 success – R0 write", "answered refresh 3 200 success T1 R1",
                "sent GET /posts 4 T1 –", "served GET /posts 4 200 success T1 –",
                "answered GET /posts 4 200 success – –", "sent POST /posts 5 T1 – write",
                "served POST /posts 5 201 success T1 – write",
                "answered POST /posts 5 201 success – –",
            ], "\(lines)")
    }

    @Test("An expiry of tokens is written down for each user whom it concerns")
    func expiries() {
        let recorder = HistoryRecorder(Simulation())
        let tap = WireTap(recorder: recorder, users: [0, 1, 2])
        tap.accessTokensExpired(at: .start) { $0 != 1 }
        recorder.close(.still)
        #expect(recorder.history.events.map(\.kind) == [.expired, .expired])
        #expect(recorder.history.events.map(\.user) == [0, 2])
    }

    @Test("A write that shows an idempotency key again is done once, one with another key twice")
    func keys() {
        func done(_ keys: [String?], field: String = "Idempotency-Key") -> Int {
            let recorder = HistoryRecorder(Simulation())
            let tap = WireTap(recorder: recorder, users: [])
            let (pay, now) = (Endpoint("pay", number: 0), Instant(nanoseconds: 0))
            for (number, key) in keys.enumerated() {
                let cause = RequestCause(user: 0, request: UInt32(number))
                var request = URLRequest(
                    url: WebURL(origin: "http://h", path: "/pay"), method: .post)
                if let key { request.headers.add(name: field, value: key) }
                tap.tokensShown(cause, pay, request, shows: nil)
                tap.requestReplied(
                    ServerRecord(
                        cause: cause, endpoint: pay, method: .post, url: request.url, status: 201,
                        meaning: .success, arrived: now, started: now, replied: now, worker: nil,
                        items: 0, rowsScanned: 0, bytes: 0, tokenGeneration: nil,
                        isDuplicate: false))
            }
            return recorder.history.events.count { $0.isWriteDone }
        }
        #expect(done(["a", "a", "a"]) == 1 && done(["a", "b"]) == 2)
        #expect(done([nil, nil]) == 2 && done(["a", nil]) == 2)
        #expect(done(["a", "a"], field: "PayPal-Request-Id") == 1)
        #expect(done(["a", "a"], field: "X-Request-Id") == 2)
    }

    private static func line(_ event: RaceEvent, of history: History) -> String {
        var words = ["\(event.kind)", history.name(event.endpoint), "\(event.request ?? -1)"]
        if let status = event.status { words.append("\(status)") }
        if let meaning = event.meaning { words.append("\(meaning)") }
        words += [history.name(ofToken: event.access), history.name(ofToken: event.refresh)]
        if event.isWrite { words.append("write") }
        if event.isAnonymous { words.append("anonymous") }
        return words.joined(separator: " ")
    }

    @Test("Every difference of an event changes the digest; a server sees its own part")
    func digests() {
        func history(_ kind: RaceEvent.Kind, _ change: (inout RaceEvent) -> Void = { _ in })
            -> History
        {
            let story = Story()
            story.happens(.issued, access: "T0", refresh: "R0", endpoint: "a", second: 1)
            story.happens(kind, call: 1, access: "T0", refresh: "R0", endpoint: "a", second: 2) {
                $0.status = 200
                change(&$0)
            }
            story.recorder.close(.still)
            return story.recorder.history
        }
        let changes: [(inout RaceEvent) -> Void] = [
            { $0.user = 1 }, { $0.access = nil }, { $0.refresh = nil }, { $0.status = 201 },
            { $0.endpoint = nil }, { $0.at += 1 }, { $0.request = 2 }, { $0.attempt = 1 },
        ]
        let whole = history(.served)
        let digests = changes.map { history(.served, $0).digest }
        #expect(Set(digests + [whole.digest]).count == changes.count)
        #expect(digests[4] == whole.digest && history(.answered).digest != whole.digest)
        let views = changes.map { history(.served, $0).serverView }
        let different = Set(views[..<5]).union([whole.serverView])
        #expect(different.count == 6)
        #expect(views[5...].allSatisfy { $0 == whole.serverView })
        #expect(history(.answered).serverView != whole.serverView)
    }

    /// Tells sessions of requests: whose, which, what it is and what comes of it.
    private static func redundant(
        _ steps: [(user: Int, request: Int, Endpoint.Role, AnswerMeaning?)]
    ) -> [Int] {
        let story = Story()
        story.recorder.describe { $0.tellsCauses = false }
        for (user, request, role, meaning) in steps {
            story.happens(
                meaning == nil ? .sent : .answered, role, call: request, meaning, user: user)
        }
        return story.recorder.redundantRefreshes
    }

    @Test("A sign-in outlives the refreshes of its own user, and nobody else's")
    func leakedAcrossRuns() {
        func told(signIn user: Int) -> [Int] {
            Self.redundant([
                (0, 1, .ordinary, nil), (0, 1, .ordinary, .expired), (0, 2, .refresh, nil),
                (0, 3, .refresh, nil), (user, 4, .signIn, nil), (user, 4, .signIn, .success),
                (0, 2, .refresh, .success), (0, 3, .refresh, .success),
            ])
        }
        #expect(told(signIn: 0) == [] && told(signIn: 1) == [3])
    }

    @Test("A call that was refused and is sent again asks for no refresh any more")
    func sentAgain() {
        func told(again: Bool) -> [Int] {
            Self.redundant(
                [
                    (0, 1, .ordinary, nil), (0, 9, .ordinary, nil), (0, 1, .ordinary, .expired),
                    (0, 2, .refresh, nil), (0, 2, .refresh, .success), (0, 9, .ordinary, .expired),
                ] + (again ? [(0, 5, .ordinary, nil), (0, 5, .ordinary, .success)] : []) + [
                    (0, 6, .refresh, nil), (0, 6, .refresh, .success),
                ])
        }
        #expect(told(again: false) == [6] && told(again: true) == [])
    }

    @Test("The measurement of a subject has a row for each strategy")
    func measurement() throws {
        var moment: Int64 = -5_000_000_000
        var plan = ExplorationPlan.small(20, shrinking: 50)
        (plan.deviations, plan.nanoseconds) = (1, 1)
        let measured = try RaceMeasurement(
            Programs.crowd(3), plan, seeds: 3,
            elapsed: {
                moment += 5_000_000_000
                return moment
            })
        #expect(measured.nanoseconds == 5_000_000_000 && measured.finding?.departures == 1)
        #expect(measured.rows.map(\.first.count) == measured.rows.map { _ in 3 })
        #expect(measured.rows.last?.strategy == "mix")
        #expect(measured.rows.flatMap(\.first).allSatisfy { (1...20).contains($0 ?? 1) })
        let row = measured.row(of: "crowd").split(separator: "|").map(\.description)
        #expect(row.count == RaceMeasurement.head[0].split(separator: "|").count)
        #expect(row[0] == " crowd " && row[1] == " X1 " && row.last == " 5.0 ")
        #expect(row.dropLast().last?.hasSuffix("→ 1 ") == true)
        func median(_ first: [Int?]) -> Int? {
            RaceMeasurement.Row(strategy: "s", first: first).median
        }
        #expect(median([3, 1, 2]) == 2 && median([1, 2, 3, nil]) == 3 && median([]) == nil)
        #expect(median([nil, 1, nil]) == nil && median([7]) == 7)
    }
}

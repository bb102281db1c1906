import SquallBackend
import Testing

@testable import SquallRaces

@Suite("Promises about calls and refreshes, at their edges")
struct CallPromiseTests {
    /// A call that is refused and refreshed so often, and what comes before the last refresh; each
    /// try is a request of its own, as where a method calls itself.
    private static func loops(
        _ count: Int, addresses: [UInt64] = [7], before: (Story) -> Void = { _ in }
    ) -> [String] {
        Story.breaks(.noRefreshLoop) { story in
            for number in 0..<count {
                let address = addresses[number % addresses.count]
                for kind in [RaceEvent.Kind.sent, .answered] {
                    story.happens(
                        kind, call: 2 * number, access: "T0", kind == .sent ? nil : .expired
                    ) { $0.address = address }
                }
                if number == count - 1 { before(story) }
                story.happens(.sent, .refresh, call: 2 * number + 1, refresh: "R\(number)")
                story.happens(.answered, .refresh, call: 2 * number + 1, .success)
            }
        }
    }

    @Test("A call refused and refreshed three times in a step is a loop, as in a run; two are none")
    func refreshLoop() {
        #expect(Self.loops(3) == ["loop"])
        #expect(Self.loops(2).isEmpty)
        #expect(Self.loops(4, addresses: [7, 8]).isEmpty)
    }

    @Test("A call that succeeds ends a loop, and so does the next step; another call does not")
    func loopEnds() {
        func loops(_ kind: RaceEvent.Kind, _ address: UInt64) -> Bool {
            !Self.loops(3) { story in
                story.happens(.sent, call: 99, access: "T0") { $0.address = address }
                story.happens(kind, call: 99, .success) { $0.address = address }
            }.isEmpty
        }
        #expect(!loops(.answered, 7))
        #expect(loops(.answered, 8) && loops(.served, 7))
        let steps = Story.breaks(.noRefreshLoop) { story in
            for number in 0..<3 {
                story.happens(.actBegan, text: "tap")
                story.happens(.sent, call: number, access: "T0") { $0.address = 7 }
                story.happens(.answered, call: number, .expired)
                story.happens(.sent, .refresh, call: 10 + number, refresh: "R\(number)")
                story.happens(.answered, .refresh, call: 10 + number, .success)
            }
        }
        #expect(steps.isEmpty)
    }

    /// A call is refused, a refresh succeeds, the call fails; and what comes between.
    private static func waiters(
        refresh: AnswerMeaning = .success, first: (Story) -> Void = { _ in },
        between: (Story) -> Void = { _ in }, end: RaceEvent.Kind? = .callFailed
    ) -> [String] {
        Story.breaks(.waitersGoOn) {
            first($0)
            $0.happens(.sent, call: 1, attempt: 1, access: "T0")
            $0.happens(.answered, call: 1, attempt: 1, .expired)
            $0.happens(.sent, .refresh, call: 2, refresh: "R0")
            $0.happens(.answered, .refresh, call: 2, access: "T1", refresh)
            between($0)
            if let end { $0.happens(end, call: 1) }
        }
    }

    @Test("A call that fails beside a refresh that succeeds was forgotten")
    func waiter() {
        #expect(Self.waiters() == ["waiter"])
        #expect(Self.waiters(refresh: .failure).isEmpty)
        #expect(Self.waiters(end: nil).isEmpty && Self.waiters(end: .sent).isEmpty)
        #expect(Self.waiters(end: .callEnded).isEmpty && Self.waiters(end: .leaves).isEmpty)
    }

    @Test("Other users' acts excuse no forgotten call; its own user's and a second try do")
    func excuses() {
        for kind in [RaceEvent.Kind.leaves, .cancelled] {
            #expect(Self.waiters(first: { $0.happens(kind, user: 1) }) == ["waiter"])
            #expect(Self.waiters(first: { $0.happens(kind) }).isEmpty)
        }
        func refused(call: Int, user: Int = 0) -> [String] {
            Self.waiters(first: {
                $0.happens(.sent, call: call, access: "T0", user: user)
                $0.happens(.answered, call: call, .expired, user: user)
            })
        }
        #expect(refused(call: 1).isEmpty)
        #expect(refused(call: 3) == ["waiter"] && refused(call: 1, user: 1) == ["waiter"])
    }

    @Test("A refresh that failed while the call was under way excuses it, one before does not")
    func failedRefresh() {
        func failing(_ story: Story) {
            story.happens(.sent, .refresh, call: 7, refresh: "R0")
            story.happens(.answered, .refresh, call: 7, .failure)
        }
        #expect(Self.waiters(first: failing) == ["waiter"])
        #expect(Self.waiters(between: failing).isEmpty)
    }

    @Test("A refresh that nobody asked for is right from half of a token's life on")
    func needed() {
        func needless(at second: Int64, expiry: Int64, _ first: (Story) -> Void = { _ in }) -> Bool
        {
            !Story.breaks(.refreshIsNeeded) { story in
                story.token("T0", expiresAt: expiry)
                first(story)
                story.happens(.sent, .refresh, call: 1, access: "T0", second: second)
            }.isEmpty
        }
        #expect(needless(at: 499, expiry: 1_000) && !needless(at: 500, expiry: 1_000))
        // A minute before the end at the latest.
        #expect(needless(at: 39, expiry: 100) && !needless(at: 40, expiry: 100))
        #expect(!needless(at: 9, expiry: 1_000) { $0.happens(.answered, call: 0, .expired) })
        #expect(needless(at: 9, expiry: 1_000) { $0.happens(.answered, call: 0, .success) })
        #expect(
            needless(at: 9, expiry: 1_000) { $0.happens(.answered, call: 0, .expired, user: 1) })
        #expect(needless(at: 9, expiry: 1_000) { $0.happens(.served, call: 0, .expired) })
    }

    @Test("A failed action breaks the promise of calm only if it began in calm with a live session")
    func calm() {
        func fails(
            from second: Int64 = 10, result: RaceEvent.ActResult? = .failed, hasFaults: Bool = true,
            _ between: (Story) -> Void = { _ in }
        ) -> Bool {
            !Story.breaks(
                .calmsDown, { ($0.hasFaults, $0.calmFrom) = (hasFaults, 10_000_000_000) }
            ) { story in
                story.happens(.actBegan, attempt: 2, second: second)
                between(story)
                story.happens(.actEnded, attempt: 2, result: result)
            }.isEmpty
        }
        #expect(fails() && !fails(from: 9) && !fails(hasFaults: false))
        #expect(!fails(result: .fine) && fails(result: nil) && !fails { $0.happens(.leaves) })
        #expect(!fails { $0.happens(.answered, call: 1, .signedOut) })
        #expect(fails { $0.happens(.answered, call: 1, .success) })
        #expect(fails { $0.happens(.leaves, user: 1) })
        #expect(fails { $0.happens(.served, call: 1, .signedOut) })
    }

    @Test("A list with something twice is told of where an action ends with it")
    func wholeList() {
        func twice(_ result: RaceEvent.ActResult) -> [String] {
            Story.breaks(.wholeList) { $0.happens(.actEnded, text: "twice", result: result) }
        }
        #expect(twice(.repeated) == ["twice"] && twice(.wrong).isEmpty)
    }

    @Test("A screen that ends inconsistent is reported with its subject")
    func audits() {
        let kind = AuditKind(
            "list.repeated", one: "row twice", many: "rows twice", meaning: "A row stands twice.",
            concern: .list)
        func told(_ promise: RaceInvariant) -> [String] {
            Story.violations(promise) {
                $0.audits = [
                    AuditFinding(kind, user: 3, about: "posts"),
                    AuditFinding(kind, user: 4),
                ]
            }.map { "\($0.text), user \($0.user)" }
        }
        #expect(
            told(.wholeList) == [
                "row twice (list.repeated): posts, user 3", "row twice (list.repeated), user 4",
            ])
        #expect(told(.trueScreens).isEmpty)
    }

    /// T1 is stored while T0 is still known, and a call goes out with T0.
    private static func known(
        began: Int? = 1, user: Int = 0, token: String = "T0", stored: String = "T1"
    ) -> [String] {
        Story.breaks(.noKnownDeadToken) { story in
            story.happens(.issued, access: "T0")
            story.happens(.issued, access: "Z0", user: 1)
            story.happens(.issued, access: "T1")
            story.happens(.callBegan, call: 0)
            story.happens(.callBegan, call: 7, user: 1)
            story.happens(.stored, access: stored)
            if let began { story.happens(.callBegan, call: began) }
            story.happens(.sent, .refresh, call: 1, access: token, user: user)
        }
    }

    @Test("A call that begins after a newer token is stored must not carry an older one")
    func deadToken() {
        #expect(Self.known() == ["refresh"])
        #expect(Self.known(token: "T1").isEmpty && Self.known(stored: "T0").isEmpty)
        #expect(Self.known(token: "Z0").isEmpty && Self.known(user: 1).isEmpty)
        // A call whose beginning nobody saw was not there before.
        #expect(Self.known(began: 0) == ["refresh"] && Self.known(began: nil) == ["refresh"])
        let before = Story.breaks(.noKnownDeadToken) { story in
            story.happens(.issued, access: "T0")
            story.happens(.callBegan, call: 1)
            story.happens(.stored, access: "T1")
            story.happens(.callBegan, call: 2)
            story.happens(.callBegan, call: 1, user: 1)
            story.happens(.sent, call: 1, access: "T0")
        }
        #expect(before.isEmpty)
    }

    @Test("Sixty-one digits and letters of a token in a row are a secret in a name, sixty are none")
    func secrets() {
        func isSecret(_ name: some StringProtocol) -> Bool {
            !Story.breaks(.noSecrets) { $0.name(String(name)) }.isEmpty
        }
        let token = String(repeating: "0af9Fr", count: 11).prefix(61)
        #expect(isSecret(token) && isSecret("GET /users/\(token)/friends"))
        #expect(
            !isSecret("/" + token.dropLast())
                && !isSecret(token.prefix(30) + "/" + token.suffix(31)))
        #expect(!isSecret(token.dropLast()) && !isSecret(""))
        let told = Story.violations(.noSecrets) { $0.name(String(token)) }
        #expect(told.first?.text == "a token stands in '\(token.prefix(24))…'")
        let name = String(token)
        func events(_ tell: (Story) -> Void) -> [[Int]] {
            Story.violations(.noSecrets) { tell($0) }.map(\.events)
        }
        // The first event that shows it is told of, by what it says or by its address.
        let shown = events { story in
            story.happens(.sent, text: "x", endpoint: "y")
            story.happens(.answered, text: "x", endpoint: name)
            story.happens(.actEnded, text: name)
        }
        #expect(shown == [[1]] && events { $0.happens(.actEnded, text: name) } == [[0]])
        #expect(events { $0.name(name) } == [[]])
    }
}

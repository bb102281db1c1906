import SquallBackend
import Testing

@testable import SquallRaces

@Suite("Promises about the number of refreshes and the owner of tokens")
struct RefreshPromiseTests {
    /// A refusal, and two refreshes that may overlap: when each is sent and what comes of it.
    private static func two(
        _ ends: (first: AnswerMeaning?, second: AnswerMeaning?) = (.success, .success),
        overlap: Bool = true, secondEndsFirst: Bool = false,
        tokens: (String, String) = ("T0", "T0"),
        prompted: Bool = true
    ) -> (Story) -> Void {
        { story in
            story.happens(.sent, call: 1, access: "T0")
            story.happens(.answered, call: 1, .expired)
            func sent(_ call: Int, _ token: String) {
                story.happens(.sent, .refresh, call: call, access: token) {
                    $0.refreshFor = prompted ? 1 : nil
                }
            }
            func ended(_ call: Int, _ meaning: AnswerMeaning?) {
                guard let meaning else { return }
                let brought = meaning == .success ? "T\(call)" : nil
                story.happens(.answered, .refresh, call: call, access: brought, meaning)
            }
            sent(2, tokens.0)
            if !overlap { ended(2, ends.first) }
            sent(3, tokens.1)
            if secondEndsFirst { ended(3, ends.second) }
            if overlap { ended(2, ends.first) }
            if !secondEndsFirst { ended(3, ends.second) }
        }
    }

    @Test("Of two refreshes of one expiry the one that ends last is one too many")
    func singleFlight() {
        func events(_ tell: (Story) -> Void) -> [[Int]] {
            Story.violations(.singleFlight, { _ in }, tell).map(\.events)
        }
        #expect(events(Self.two()) == [[2, 3]])
        #expect(events(Self.two(secondEndsFirst: true)) == [[2, 3]])
        #expect(events(Self.two((.failure, .success))) == [[2, 3]])
        #expect(events(Self.two((.success, nil))) == [[2, 3]])
        // The second try after one that failed is right, and so is the only one that ever ends.
        #expect(events(Self.two((.failure, .success), overlap: false)).isEmpty)
        #expect(events(Self.two((nil, .success))).isEmpty == false)
        // Of three each is told with one that ended before it.
        let three = events { story in
            story.happens(.sent, call: 1, access: "T0")
            story.happens(.answered, call: 1, .expired)
            for call in [2, 3, 4] {
                story.happens(.sent, .refresh, call: call, access: "T0") { $0.refreshFor = 1 }
            }
            for call in [2, 4, 3] { story.happens(.answered, .refresh, call: call, .success) }
        }
        #expect(three == [[3, 4], [2, 4]])
        // One after another they are, too, unless the next one is for the next token.
        #expect(events(Self.two(overlap: false)) == [[2, 4]])
        #expect(events(Self.two(overlap: false, tokens: ("T0", "T2"))).isEmpty)
    }

    @Test("A refresh of an app that was killed under it makes none of the next start redundant")
    func restarted() {
        func told(killed user: Int?) -> [String] {
            Story.breaks(.singleFlight) { _ in
            } _: { story in
                story.happens(.sent, call: 1, access: "T0")
                story.happens(.answered, call: 1, .expired)
                story.happens(.sent, .refresh, call: 2, access: "T0") { $0.refreshFor = 1 }
                if let user {
                    story.happens(.restarted, user: user)
                }
                story.happens(.sent, .refresh, call: 3, access: "T0") { $0.refreshFor = 1 }
                story.happens(.answered, .refresh, call: 3, access: "T1", .success)
            }
        }
        #expect(told(killed: nil) == ["second refresh"] && told(killed: 1) == ["second refresh"])
        #expect(told(killed: 0).isEmpty)
    }

    @Test("A refresh for a refusal of a token that was replaced meanwhile is told with both")
    func staleRefusal() {
        func told(own: Bool, other: Int? = nil) -> [String] {
            Story.violations(.staleRefusal) { story in
                for call in [1, 4, 5] { story.happens(.sent, call: call, access: "T0") }
                if let other { story.happens(.sent, call: 1, access: "T9", user: other) }
                story.happens(.answered, call: 1, .expired)
                story.happens(.sent, .refresh, call: 2, access: "T0") { $0.refreshFor = 1 }
                story.happens(.answered, .refresh, call: 2, access: "T1", .success)
                story.happens(.answered, call: 5, .expired)
                story.happens(.answered, call: 4, .expired)
                if let other { story.happens(.answered, call: 1, .expired, user: other) }
                story.happens(.sent, .refresh, call: 3, access: "T1") {
                    $0.refreshFor = own ? 5 : 9
                }
                story.happens(.answered, .refresh, call: 3, access: "T2", .success)
            }.map { "\($0.text) \($0.events)" }
        }
        let text = "T1 was fresh when a late refusal of T0 had it refreshed"
        #expect(told(own: true) == ["\(text) [6, 8]"])
        // Of refusals that are not its own the one that came last.
        #expect(told(own: false) == ["\(text) [7, 8]"])
        #expect(told(own: false, other: 1) == ["\(text) [8, 10]"])
    }

    @Test("Five sends of a call are patience, six are a flood, whoever else sends as often")
    func boundedRetries() {
        func floods(_ count: Int, users: Int = 1, call: Int? = 1) -> [String] {
            Story.violations(.boundedRetries) { story in
                for attempt in 0..<count {
                    for user in (0..<users).reversed() {
                        story.happens(.sent, call: call, attempt: attempt, user: user)
                    }
                }
            }.map { "\($0.text), user \($0.user), \($0.events)" }
        }
        #expect(floods(5).isEmpty && floods(6, call: nil).isEmpty && floods(3, users: 2).isEmpty)
        #expect(floods(7) == ["one call was sent 7 times, user 0, [0, 1, 2, 3, 4, 5]"])
        #expect(floods(6, users: 2).map { $0.suffix(27) }.first == "user 1, [0, 2, 4, 6, 8, 10]")
    }

    @Test("A call is sent with as many tokens as it may be repeated, and with one more")
    func boundedReplay() {
        func replays(_ tokens: [String?], max: Int = 1, _ role: Endpoint.Role = .ordinary) -> Int {
            Story.breaks(.boundedReplay, { $0.replaysMax = max }) { story in
                for (attempt, token) in tokens.enumerated() {
                    story.happens(.sent, role, call: 1, attempt: attempt, access: token)
                }
            }.count
        }
        #expect(replays(["T0", "T1"]) == 0 && replays(["T0", "T1", "T2"]) == 1)
        #expect(replays(["T0", "T1", "T2"], max: 2) == 0)
        #expect(replays(["T0", "T1", "T1", nil, "T0"]) == 0)
        #expect(replays(["T0", "T1", "T2", "T3"]) == 1)
        #expect(replays(["T0", "T1", "T2"], .refresh) == 0)
    }

    @Test("Thirty-two calls of a device may be open at once, one more is told")
    func boundedWaiters() {
        func told(_ count: Int, ended: RaceEvent.Kind? = nil, users: Int = 1) -> [[Int]] {
            Story.violations(.boundedWaiters) { story in
                for call in 0..<count {
                    story.happens(.callBegan, call: call, user: call % users)
                    if call == 0, let ended { story.happens(ended, call: 0) }
                }
            }.map(\.events)
        }
        #expect(told(32).isEmpty && told(33) == [[32]] && told(40) == [[32]])
        #expect(told(33, ended: .callEnded).isEmpty && told(33, ended: .callFailed).isEmpty)
        #expect(told(33, ended: .cancelled) == [[33]] && told(64, users: 2).isEmpty)
    }

    @Test("A completion that is dropped or called again is told with where")
    func completions() {
        let told = Story.violations(.completionsOnce) { story in
            story.happens(.callEnded, text: "fine")
            story.happens(.completionLost, text: "retrier", user: 2)
            story.happens(.completionRepeated, text: "adapter")
        }.map { "\($0.text), user \($0.user), \($0.cause), \($0.events)" }
        #expect(
            told == [
                "retrier dropped a completion: the call never ends, user 2, retrier, [1]",
                "adapter called a completion twice, user 0, adapter, [2]",
            ])
    }

    @Test("A token that another user was given is foreign, the refresh token as well")
    func isolation() {
        func told(access: String? = nil, refresh: String? = nil) -> [String] {
            Story.violations(.isolation) { story in
                story.happens(.issued, access: "T0", refresh: "R0", user: 0)
                story.happens(.issued, access: "T1", refresh: "R1", user: 1)
                story.happens(.answered, call: 1, access: "T1")
                story.happens(.sent, call: 1, access: access, refresh: refresh)
                story.happens(.sent, call: 2, access: "T1")
            }.map { "\($0.text) \($0.events)" }
        }
        let later = "user 0 sent T0 of user 1 [4]"
        #expect(told(access: "T0", refresh: "R0") == [later] && told() == [later])
        #expect(told(access: "T1") == ["user 0 sent T0 of user 1 [3]"])
        #expect(told(access: "T0", refresh: "R1") == ["user 0 sent R0 of user 1 [3]"])
    }

    @Test("A refresh that the server answers 409 was early")
    func earlyRefresh() {
        func told(_ status: Int, _ role: Endpoint.Role = .refresh) -> [String] {
            Story.violations(.noEarlyRefresh) { story in
                story.happens(.stored, access: "T0")
                story.happens(.sent, role, call: 1, user: 0)
                story.happens(.answered, role, call: 1, .failure) { $0.status = status }
                story.happens(.sent, role, call: 2)
            }.map { "\($0.text) \($0.events)" }
        }
        #expect(told(409) == ["T0 was refreshed while the server still accepted it [1, 2]"])
        #expect(told(408).isEmpty && told(409, .ordinary).isEmpty)
    }

    @Test("A call that was refused has an end, or is told")
    func followedUp() {
        func told(
            _ meaning: AnswerMeaning = .expired, end: RaceEvent.Kind? = nil, call: Int? = 1
        ) -> [String] {
            Story.violations(.refusalIsFollowedUp) { story in
                story.happens(.callBegan, call: call)
                story.happens(.sent, call: call, endpoint: "posts")
                story.happens(.answered, call: call, meaning)
                if let end { story.happens(end, call: call) }
            }.map { "\($0.text) \($0.events)" }
        }
        #expect(told() == ["posts was refused and has no end [2]"])
        #expect(told(.success).isEmpty && told(call: nil).isEmpty)
        #expect(told(end: .callEnded).isEmpty && told(end: .callFailed).isEmpty)
        #expect(told(end: .cancelled) == told())
    }

    @Test("An inconsistent screen is reported, but for lists and payments, which have other rules")
    func screens() {
        func told(_ result: RaceEvent.ActResult?) -> [String] {
            Story.breaks(.trueScreens) { $0.happens(.actEnded, text: "it", result: result) }
        }
        for result in [RaceEvent.ActResult.stale, .wrong, .crashed, .lost] {
            #expect(told(result).count == 1)
        }
        for result in [RaceEvent.ActResult.repeated, .fine, .failed, nil] {
            #expect(told(result).isEmpty)
        }
        func audited(
            _ concern: AuditKind.Concern = .screen, about thing: String?
        ) -> [String] {
            Story.violations(.trueScreens) {
                let kind = AuditKind(
                    "like.wrong", one: "a", many: "b", meaning: "c", concern: concern)
                $0.audits = [AuditFinding(kind, user: 3, about: thing)]
            }.map { "\($0.text), \($0.user)" }
        }
        #expect(audited(about: "post 7") == ["a (like.wrong): post 7, 3"])
        #expect(audited(about: nil) == ["a (like.wrong), 3"])
        #expect(audited(.list, about: "x").isEmpty)
        #expect(audited(.doublePayment, about: "x").isEmpty)
    }

    @Test("A declared rule reports each violation with its user")
    func inWords() {
        let rule = RaceInvariant("X1", "Nothing is sent.") { history in
            history.events.indices.filter { history.events[$0].kind == .sent }
                .map { ("it was sent", [$0]) } + [("it was seen", [])]
        }
        let story = Story()
        story.happens(.sent, user: 5)
        story.recorder.close(.still)
        let told = rule.violations(in: story.recorder.history)
        #expect(told.map(\.text) == ["it was sent", "it was seen"])
        #expect(told.map(\.user) == [5, 0] && told.map(\.invariant) == ["X1", "X1"])
        #expect(rule.claim == "Nothing is sent." && told.map(\.events) == [[0], []])
    }
}

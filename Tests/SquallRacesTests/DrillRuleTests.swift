import SquallBackend
import SquallJudge
import Testing

@testable import SquallRaces

@Suite("Rules of drills on the requests of a client")
struct DrillRuleTests {
    @Test("A client has the ability of each closure that it was given, and no other")
    func abilities() {
        func abilities(
            write: DrillClient.Action? = nil, otherScope: DrillClient.Action? = nil,
            refresh: DrillClient.Action? = nil, signOut: DrillClient.Action? = nil,
            isSignedIn: (@Sendable () async throws -> Bool)? = nil
        ) -> Set<Drill.Ability> {
            DrillClient(
                signIn: { _ in }, call: {}, write: write, otherScope: otherScope,
                refresh: refresh, signOut: signOut, isSignedIn: isSignedIn
            ).abilities
        }
        #expect(abilities() == [])
        #expect(abilities(write: {}) == [.write] && abilities(otherScope: {}) == [.otherScope])
        #expect(abilities(refresh: {}) == [.refresh] && abilities(signOut: {}) == [.signOut])
        #expect(abilities(isSignedIn: { true }) == [.isSignedIn])
    }

    /// A call is refused for an old token, a refresh brings a new one, and the call fails; and
    /// what comes before, between the two, before the end, and after it.
    private static func lost(
        _ kind: DrillAct.Kind = .call, refresh: AnswerMeaning = .success, error: String? = "401",
        _ change: (DrillAct) -> Void = { _ in }, before: (DrillStory) -> Void = { _ in },
        between: (DrillStory) -> Void = { _ in }, end: (DrillStory) -> Void = { _ in },
        after: (DrillStory) -> Void = { _ in }
    ) -> [String] {
        DrillStory.causes { story in
            before(story)
            let act = story.begins(kind)
            story.wire.happens(.sent, call: 1, access: "T0")
            between(story)
            story.wire.happens(.answered, call: 1, .expired)
            story.wire.happens(.sent, .refresh, call: 2, refresh: "R0")
            story.wire.happens(.answered, .refresh, call: 2, refresh)
            end(story)
            story.ends(act, error: error)
            after(story)
            change(act)
        }
    }

    private static func sends(_ call: Int, access: String?) -> (DrillStory) -> Void {
        { $0.wire.happens(.sent, call: call, access: access) }
    }

    @Test("A call that fails although a refresh succeeded, and was not sent again, is lost")
    func lostCall() {
        #expect(Self.lost() == ["lost"] && Self.lost(.write) == ["lost"])
        #expect(Self.lost(.refresh).isEmpty && Self.lost(.signOut).isEmpty)
        #expect(Self.lost(error: nil).isEmpty && Self.lost(refresh: .failure).isEmpty)
        #expect(Self.lost(refresh: .expired).isEmpty)
        #expect(Self.lost { $0.isCancelled = true }.isEmpty)
        #expect(Self.lost { $0.isForgotten = true }.isEmpty)
        #expect(Self.lost { $0.ended = nil }.isEmpty)
        // Sent again with the new token; with the old one, or without any, is no repeat.
        #expect(Self.lost(end: Self.sends(3, access: "T1")).isEmpty)
        #expect(Self.lost(end: Self.sends(3, access: "T0")) == ["lost"])
        #expect(Self.lost(end: Self.sends(3, access: nil)) == ["lost"])
        #expect(
            Self.lost(end: { $0.wire.happens(.sent, .refresh, call: 3, access: "T1") }) == ["lost"])
    }

    @Test("Requests of calls that began later are theirs, and repeats of open ones come later")
    func others() {
        let other = { (story: DrillStory) in
            let act = story.begins(.call)
            story.wire.happens(.sent, call: 5, access: "T1")
            story.ends(act)
        }
        #expect(Self.lost(end: other) == ["lost"])
        #expect(
            Self.lost(end: {
                other($0)
                $0.wire.happens(.sent, call: 3, access: "T1")
            }).isEmpty)
        // Another call is open until after the end, and something is sent with the new token.
        func open(_ began: Bool) -> [String] {
            var other: DrillAct?
            return Self.lost(
                before: { if began { other = $0.begins(.call) } },
                after: {
                    $0.wire.happens(.sent, call: 3, access: "T1")
                    if let other { $0.ends(other) }
                })
        }
        #expect(open(true).isEmpty && open(false) == ["lost"])
    }

    @Test("A refusal of what was sent after the new token came loses no call")
    func sentAfter() {
        let causes = DrillStory.causes { story in
            let act = story.begins(.call)
            story.wire.happens(.sent, .refresh, call: 2, refresh: "R0")
            story.wire.happens(.answered, .refresh, call: 2, .success)
            story.wire.happens(.sent, call: 1, access: "T1")
            story.wire.happens(.answered, call: 1, .expired)
            story.ends(act, error: "401")
        }
        #expect(causes.isEmpty)
    }

    @Test("A disturbance excuses a failed call while the call is open, and only then")
    func disturbances() {
        let disturbances: [(DrillStory) -> Void] = [
            { $0.wire.happens(.unanswered, call: 8) },
            { $0.wire.happens(.answered, call: 8, .failure) },
            { $0.wire.happens(.answered, call: 8, .signedOut) },
            { $0.recording.killedAt.append($0.wire.happens(.meanwhile, text: "killed")) },
            { $0.ends($0.begins(.signOut)) }, { $0.ends($0.begins(.signIn(0))) },
        ]
        for disturb in disturbances {
            #expect(!Self.lost(between: disturb).contains("lost"))
            #expect(Self.lost(before: disturb).contains("lost"))
            #expect(Self.lost(after: disturb) == ["lost"])
        }
        #expect(Self.lost(between: { $0.ends($0.begins(.call)) }) == ["lost"])
        #expect(
            Self.lost(after: {
                let act = $0.begins(.call)
                act.isCancelled = true
            }).isEmpty)
    }

    @Test("A drill's own expectation precedes the general rule for the same failure")
    func precedence() {
        #expect(
            Self.lost(after: { $0.recording.broken = [Violation("p", "", cause: "told")] }) == [
                "told"
            ])
        #expect(Self.lost(after: { $0.recording.isEndless = true }) == ["endless"])
        #expect(
            Self.lost(after: { $0.recording.hung = $0.recording.acts + $0.recording.acts }) == [
                "hang"
            ])
        #expect(
            DrillStory.causes { $0.recording.run.failedExpectations = ["no list", "no name"] }
                == ["no list", "no name"])
    }

    @Test("More requests within a span than any client needs are without end, spread ones are not")
    func endless() {
        func isExceeded(_ requests: Int, every seconds: Int64) -> Bool {
            var limit = RequestLimit(count: 120, nanoseconds: 300_000_000_000) {}
            return (0..<Int64(requests)).contains { number in
                limit.isExceeded(by: number * seconds * 1_000_000_000)
            }
        }
        #expect(!isExceeded(120, every: 1) && isExceeded(121, every: 1))
        #expect(!isExceeded(10_000, every: 3))
        #expect(DrillStory.causes { $0.recording.isEndless = true } == ["endless"])
    }

    @Test("A new token that has expired on arrival makes no call lost and no refresh redundant")
    func deadOnArrival() {
        func causes(_ expiry: Int64) -> [String] {
            DrillStory.causes(redundant: [4]) { story in
                let new = story.wire.recorder.token("T1", .access, of: 0, expiry: expiry)
                let act = story.begins(.call)
                story.wire.happens(.sent, call: 1, access: "T0")
                story.wire.happens(.answered, call: 1, .expired)
                story.wire.happens(.sent, .refresh, call: 2, refresh: "R0")
                let place = story.wire.happens(.answered, .refresh, call: 2, .success)
                story.wire.recorder.amend(place) { $0.access = new }
                story.wire.happens(.sent, .refresh, call: 4, refresh: "R1")
                story.ends(act, error: "401")
            }
        }
        #expect(causes(.min).isEmpty && causes(.max) == ["late", "lost"])
    }

    @Test("A completion that is called again is one too many")
    func completions() {
        func causes(_ times: Int) -> [String] {
            DrillStory.causes { $0.begins(.call).completions = times }
        }
        #expect(causes(1).isEmpty && causes(2) == ["completions"])
    }

    @Test("A refresh too many is told by the token that it shows")
    func redundant() {
        func causes(
            _ tokens: [String], isScoped: Bool = false, of redundant: Set<Int> = [1]
        ) -> [String] {
            DrillStory.causes(redundant: redundant) { story in
                story.recording.hasOtherScope = isScoped
                for (call, token) in tokens.enumerated() {
                    story.wire.happens(.sent, .refresh, call: call, refresh: token)
                    story.wire.happens(.answered, .refresh, call: call, refresh: token, .success)
                }
            }
        }
        #expect(causes(["R0", "R0"]) == ["again"] && causes(["R0", "R1"]) == ["late"])
        #expect(causes(["R0", "R1"], isScoped: true).isEmpty)
        #expect(causes(["R0", "R0"], isScoped: true) == ["again"])
        #expect(causes(["R0", "R0"], of: []).isEmpty && causes(["R0"], of: [1]).isEmpty)
    }

    /// What is said of a request after some acts, of one kind.
    private static func identity(
        _ acts: [DrillAct.Kind], error: String? = nil, isUnderWay: Bool = false,
        _ role: Endpoint.Role = .ordinary, access: String? = nil, endpoint: String = "posts",
        user: Int = 0, before: (DrillStory) -> Void = { _ in }
    ) -> [String] {
        DrillStory.causes { story in
            for kind in acts {
                let act = story.begins(kind)
                if !isUnderWay || kind != acts.last { story.ends(act, error: error) }
            }
            before(story)
            for _ in 0..<2 {
                story.wire.happens(
                    .sent, role, call: 1, access: access, endpoint: endpoint, user: user
                ) { $0.isAnonymous = access == nil }
            }
        }
    }

    @Test("While somebody is signed in nothing that needs a token goes out without one")
    func anonymous() {
        #expect(Self.identity([.signIn(0)]) == ["neverAnonymous"])
        #expect(Self.identity([.signIn(0)], endpoint: "public").isEmpty)
        #expect(Self.identity([.signIn(0)], endpoint: "logOut").isEmpty)
        #expect(Self.identity([.signIn(0)], .refresh).isEmpty)
        #expect(Self.identity([.signIn(0)], .signIn).isEmpty)
        #expect(Self.identity([]).isEmpty && Self.identity([.signIn(0)], error: "x").isEmpty)
        #expect(Self.identity([.signIn(0), .signOut], isUnderWay: true).isEmpty)
        #expect(Self.identity([.signIn(0), .call]) == ["neverAnonymous"])
        // What the client makes of a session that the server has ended is its own.
        #expect(
            Self.identity([.signIn(0)], before: { $0.wire.happens(.answered, call: 0, .signedOut) })
                .isEmpty)
        #expect(
            Self.identity([.signIn(0)], before: { $0.wire.happens(.answered, call: 0, .expired) })
                == ["neverAnonymous"])
    }

    @Test("After a sign-out no token goes out, and never one of somebody else")
    func signedOut() {
        #expect(Self.identity([.signIn(0), .signOut], access: "T0") == ["noZombie"])
        #expect(Self.identity([.signIn(0), .signOut]).isEmpty)
        #expect(Self.identity([.signIn(0), .signOut], access: "T0", endpoint: "logOut").isEmpty)
        #expect(
            Self.identity([.signIn(0), .signOut], access: "T0") {
                $0.wire.happens(.answered, call: 0, .signedOut)
            } == ["noZombie"])
        #expect(Self.identity([.signIn(1)], access: "T0") == ["isolation"])
        #expect(Self.identity([.signIn(0)], access: "T0").isEmpty)
        #expect(Self.identity([.signIn(1)], access: "unknown").isEmpty)
    }

    @Test("A start of the app makes who is signed in unknown, and what came before it is no more")
    func restart() {
        let restart = { (story: DrillStory) -> Void in
            story.wire.happens(.restarted)
        }
        #expect(Self.identity([.signIn(0)], user: 1, before: restart).isEmpty)
        #expect(Self.identity([.signIn(0), .signOut], access: "T0", before: restart).isEmpty)
        #expect(
            Self.identity([.signIn(0), .signOut], access: "T0", user: 1, before: restart)
                == ["noZombie"])
        #expect(
            Self.identity(
                [.signIn(0)], before: { $0.wire.happens(.meanwhile, text: "the network is slow") })
                == ["neverAnonymous"])
    }
}

/// A drill, told act by act and request by request.
private final class DrillStory {
    let wire = Story()
    var recording = DrillRecording(client: UnplayedClient())

    /// The causes of what is wrong in it; `T0` is the token of account 0.
    static func causes(redundant: Set<Int> = [], _ tell: (DrillStory) -> Void) -> [String] {
        let story = DrillStory()
        story.wire.recorder.token("T0", .access, of: 0, account: 0)
        tell(story)
        story.wire.recorder.close(.still)
        story.recording.history = story.wire.recorder.history
        for place in story.recording.history.attempts.indices {
            let isOne = story.recording.history.attempts[place].sent.request.map(redundant.contains)
            story.recording.history.attempts[place].reason = isOne == true ? .again : nil
        }
        return story.recording.violations.map(\.cause)
    }

    func begins(_ kind: DrillAct.Kind) -> DrillAct {
        let act = DrillAct(number: recording.acts.count, name: "act", kind: kind)
        act.began = wire.happens(.actBegan, attempt: act.number)
        recording.acts.append(act)
        return act
    }

    func ends(_ act: DrillAct, error: String? = nil) {
        act.error = error
        act.ended = wire.happens(.actEnded, attempt: act.number)
    }
}

/// A client whose drills are made up: its API's calls need a token, all but one.
struct UnplayedClient: ClientUnderTest {
    struct NoWorld: Error {}

    var name: String? = nil
    var endpoints: [EndpointDescription] { [] }
    var logOut: String? { "logOut" }
    var expiredStatus: Int { 401 }
    let tokens = TokenPolicy.standard
    var abilities: Set<Drill.Ability> { [] }

    func needsToken(_ endpoint: String) -> Bool { endpoint != "public" }

    func world(
        _ setting: ServerConfiguration, _ schedule: Schedule, _ plan: ExplorationPlan
    ) throws -> any ClientWorld { throw NoWorld() }

    func replay(
        _ drill: Drill, before server: DrillServer, choices: [UInt16]?, _ plan: ExplorationPlan
    ) -> String { "squall drill \(drill.id) --server \(server.name) --choices \(choices ?? [])" }
}

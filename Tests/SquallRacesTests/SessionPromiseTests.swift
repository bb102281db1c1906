import SquallBackend
import Testing

@testable import SquallRaces

/// Each promise with stories that break it, and others that are one event away from doing so.
@Suite("Promises about a session's end, at their edges")
struct SessionPromiseTests {
    private static func falseSignOuts(_ tell: (Story) -> Void) -> [String] {
        Story.breaks(.noFalseSignOut) {
            $0.happens(.stored, access: "T0", refresh: "R0")
            tell($0)
            $0.happens(.signedOut)
        }
    }

    @Test("A user with tokens and no rejection is signed out by mistake, by screen or by store")
    func unprovoked() {
        #expect(Self.falseSignOuts { _ in } == ["nothing"])
        #expect(Self.falseSignOuts { $0.happens(.erased) } == ["nothing"])
        #expect(Self.falseSignOuts { $0.happens(.unanswered, call: 1) } == ["ordinary unanswered"])
        #expect(
            Self.falseSignOuts { story in
                story.happens(.leaves)
                story.happens(.signedIn)
            } == ["nothing"])
        #expect(Story.breaks(.noFalseSignOut) { $0.happens(.signedOut) }.isEmpty)
    }

    @Test("A user who left or was rejected by the server is signed out rightly")
    func provoked() {
        #expect(Self.falseSignOuts { $0.happens(.leaves) }.isEmpty)
        #expect(Self.falseSignOuts { $0.happens(.answered, call: 1, .signedOut) }.isEmpty)
        #expect(
            Self.falseSignOuts { story in
                story.happens(.sent, .refresh, call: 1, refresh: "R0")
                story.happens(.answered, .refresh, call: 1, .signedOut)
            }.isEmpty)
    }

    @Test("A rejected refresh token ends a session only if it is the newest")
    func olderToken() {
        #expect(
            Self.falseSignOuts { story in
                story.happens(.sent, .refresh, call: 1, refresh: "R0")
                story.happens(.stored, access: "T1", refresh: "R1")
                story.happens(.answered, .refresh, call: 1, .signedOut)
            } == ["refresh 400"])
        // The newest one's refusal does, whatever was stored or sent before it.
        #expect(
            Self.falseSignOuts { story in
                story.happens(.stored, access: "T1", refresh: "R1")
                story.happens(.sent, .refresh, call: 0, refresh: "R0")
                story.happens(.sent, .refresh, call: 1, refresh: "R1")
                story.happens(.answered, .refresh, call: 1, .signedOut)
            }.isEmpty)
        #expect(
            Self.falseSignOuts { story in
                story.happens(.sent, .refresh, call: 1, refresh: "R0")
                story.happens(.sent, .refresh, call: 1, refresh: "R9", user: 1)
                story.happens(.stored, access: "T1", refresh: "R1")
                story.happens(.sent, .refresh, call: 1, attempt: 1, refresh: "R1")
                story.happens(.answered, .refresh, call: 1, attempt: 1, .signedOut)
            }.isEmpty)
    }

    private static func zombies(
        endsFirst: Bool = false, erases: Bool = true, act: Int = 3, _ tell: (Story) -> Void
    ) -> [String] {
        Story.breaks(.noZombie) {
            $0.happens(.stored, access: "T0")
            $0.happens(.leaves, attempt: 3)
            if erases, !endsFirst { $0.happens(.erased) }
            $0.happens(.actEnded, attempt: act)
            if erases, endsFirst { $0.happens(.erased) }
            tell($0)
        }
    }

    @Test(
        "After a log-out nothing is sent or stored, whether its end or the empty store came first")
    func zombie() {
        for endsFirst in [false, true] {
            #expect(
                Self.zombies(endsFirst: endsFirst) { $0.happens(.sent, call: 1, access: "T0") }
                    == ["sent ordinary"])
            #expect(
                Self.zombies(endsFirst: endsFirst) { $0.happens(.stored, access: "T1") }
                    == ["stored"])
            #expect(
                Self.zombies(endsFirst: endsFirst) { $0.happens(.stored, refresh: "R1") }
                    == ["stored"])
        }
        let emptyBefore = Story.breaks(.noZombie) { story in
            story.happens(.leaves, attempt: 3)
            story.happens(.actEnded, attempt: 3)
            story.happens(.sent, call: 1, access: "T0")
        }
        #expect(emptyBefore == ["sent ordinary"])
    }

    @Test("A request without a token, a sign-in and what follows one are no zombies")
    func alive() {
        #expect(Self.zombies { $0.happens(.sent, call: 1) }.isEmpty)
        #expect(Self.zombies { $0.happens(.stored) }.isEmpty)
        #expect(Self.zombies { $0.happens(.sent, .signIn, call: 1, access: "T0") }.isEmpty)
        for comesBack in [RaceEvent.Kind.signedIn, .served] {
            #expect(
                Self.zombies { story in
                    story.happens(comesBack, .signIn, call: 1)
                    story.happens(.stored, access: "T1")
                    story.happens(.sent, call: 2, access: "T1")
                }.isEmpty)
        }
        #expect(
            Self.zombies(endsFirst: true) { story in
                story.happens(.served, .ordinary, call: 1)
                story.happens(.sent, call: 2, access: "T0")
            } == ["sent ordinary"])
    }

    @Test("A log-out that has not ended, or has left the store as it was, forbids nothing yet")
    func notYet() {
        #expect(Self.zombies(act: 2) { $0.happens(.sent, call: 1, access: "T0") }.isEmpty)
        #expect(Self.zombies(erases: false) { $0.happens(.sent, call: 1, access: "T0") }.isEmpty)
        let during = Story.breaks(.noZombie) { story in
            story.happens(.stored, access: "T0")
            story.happens(.leaves, attempt: 3)
            story.happens(.erased)
            story.happens(.stored, access: "T1")
            story.happens(.actEnded, attempt: 3)
        }
        #expect(during == ["stored"])
    }

    private static func unnoticed(
        _ ending: History.Ending = .still, _ tell: (Story) -> Void
    ) -> [String] {
        Story.breaks(.oneSignOut, ending: ending) {
            $0.happens(.signedOut)
            $0.happens(.answered, .refresh, call: 1, .signedOut)
            tell($0)
        }
    }

    @Test("The end of a session is noticed, and not refreshed away")
    func oneSignOut() {
        #expect(Self.unnoticed { _ in } == ["unnoticed"])
        #expect(Self.unnoticed(.outOfTime) { _ in }.isEmpty)
        #expect(Self.unnoticed { $0.happens(.sent, .refresh, call: 2) } == ["refresh"])
        #expect(Self.unnoticed { $0.happens(.sent, call: 2) } == ["unnoticed"])
        for notice in [RaceEvent.Kind.signedOut, .erased, .signedIn, .leaves] {
            #expect(Self.unnoticed { $0.happens(notice) }.isEmpty)
        }
        #expect(Self.unnoticed { $0.happens(.served, .signIn, call: 2) }.isEmpty)
        #expect(Self.unnoticed { $0.happens(.served, call: 2) } == ["unnoticed"])
        let others = Story.breaks(.oneSignOut) { story in
            story.happens(.answered, call: 1, .signedOut)
            story.happens(.answered, .refresh, call: 2, .success)
        }
        #expect(others.isEmpty)
    }

    @Test("A session survives the app's end, unless the person leaves or it was over before")
    func recovers() {
        func lost(_ tell: (Story) -> Void) -> [String] {
            Story.breaks(.recoversFromKill) {
                $0.happens(.signedOut)
                $0.happens(.restarted)
                tell($0)
            }
        }
        #expect(lost { $0.happens(.signedOut) } == ["signed out"])
        #expect(lost { $0.happens(.answered, .refresh, call: 1, .signedOut) } == ["signed out"])
        #expect(lost { $0.happens(.answered, .refresh, call: 1, .success) }.isEmpty)
        #expect(lost { $0.happens(.answered, call: 1, .signedOut) }.isEmpty)
        #expect(
            lost { story in
                story.happens(.leaves)
                story.happens(.signedOut)
            }.isEmpty)
    }
}

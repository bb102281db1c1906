import SquallBackend
import SquallFormat
import SquallKernel
import TestSupport
import Testing

@testable import SquallRaces

@Suite("What phones and HTTP add to the catalogue of drills")
struct DrillSlipTests {
    /// The drill that was written for a slip.
    static let caught: [PocketClient.Slip: Drill] = [
        .ignoresOthers: .otherProcess, .overtakenSignsOut: .frozenInRefresh,
        .readsOnce: .lockedAtStart, .storesOnce: .lockedThenKilled,
        .signOutNeedsServer: .signOutOffline, .offlineStartSignsOut: .startOffline,
        .timerGoesOn: .timerAfterSignOut, .longLead: .shortLived, .veryLongLead: .shortLived,
        .mixesAccounts: .switchAccounts, .connectsWithFirst: .reconnect,
        .forgetsEarlier: .updated, .forbiddenExpires: .forbidden,
        .secondRefusalSignsOut: .otherRefusal, .refreshesRefresh: .refreshUnauthorized,
        .waitersGoOn: .waitersOfFailure, .retriesForMinutes: .refreshRetried,
        .tenPlaces: .fullPool, .losesPage: .pages, .firstAnswer: .fullPool,
        .emptyRepeat: .writeOnExpired, .takesAnyBody: .refreshWithoutToken,
    ]

    /// What a drill says of a client, with the server that is the most forgiving of those it has a
    /// meaning for, and how it is repaired.
    private static func told(
        _ drill: Drill, of slip: PocketClient.Slip, _ server: DrillServer = .oneShot
    ) throws -> [(text: String, fix: String)] {
        let subject = DrillSubject(
            drill: drill, server: server, client: PocketUnderTest(slip: slip), plan: .small(1))
        let schedule = Schedule(FirstInFirstOut(), windowNanoseconds: 100_000_000)
        return try subject.play(schedule).violations.map {
            ($0.text, drill.fix(of: $0))
        }
    }

    @Test(
        "A slip is found by the drill that was written for it, in the first order",
        arguments: caught.keys.sorted { $0.rawValue < $1.rawValue })
    func found(_ slip: PocketClient.Slip) throws {
        let drill = try #require(Self.caught[slip])
        #expect(try !Self.told(drill, of: slip).isEmpty)
        let right = try Self.told(drill, of: .none).map(\.text)
        #expect(right.isEmpty)
    }

    @Test("After a kill tokens have new names, so no two tokens of a timeline share one")
    func names() throws {
        let subject = DrillSubject(
            drill: .killedAfterRefresh, server: .lenient, client: PocketUnderTest(slip: .none),
            plan: .small(1))
        let schedule = Schedule(FirstInFirstOut(), windowNanoseconds: 0, keepsHistory: true)
        let names = try #require(try subject.play(schedule).history).tokens.map(\.name)
        #expect(Set(names).count == names.count && names.contains("T2"), "\(names)")
    }

    @Test("Every promise of an exploration has a fix, and the guide lists every promise")
    func fixes() {
        for invariant in RaceInvariant.all {
            #expect(invariant.fix != nil, "\(invariant.id)")
        }
        let guide = RaceGuide.parts.text
        for promise in LiveJudge.promises + LiveJudge.unjudgedPromises {
            #expect(guide.contains("\(promise.id) \(promise.name) "), "\(promise.id)")
        }
    }

    @Test("A promise that breaks in several ways has a fix for each of them")
    func fixesOfKinds() {
        func fixes(_ promise: RaceInvariant, _ tell: (Story) -> Void) -> [String] {
            Story.violations(promise) { tell($0) }.map { $0.fix ?? "–" }
        }
        let screens = fixes(.trueScreens) { story in
            for result in [RaceEvent.ActResult.lost, .crashed, .stale, .wrong] {
                story.happens(.actEnded, text: "\(result)", result: result)
            }
        }
        #expect(Set(screens).count == 4 && screens[0].contains("only after the server's response"))
        #expect(screens[3] == RaceInvariant.trueScreens.fix)
        let completions = fixes(.completionsOnce) { story in
            story.happens(.completionLost, text: "retrier")
            story.happens(.completionRepeated, text: "retrier")
        }
        #expect(completions[0].contains("on every path") && completions[1].contains("Remove"))
        // A call that never ends, and one that fails with a refusal although a refresh succeeded.
        #expect(RaceInvariant.refusalIsFollowedUp.fix == RaceInvariant.everythingEnds.fix)
        #expect(RaceInvariant.waitersGoOn.fix?.contains("Retry a call that was rejected") == true)
        let ends = [History.Ending.still, .outOfTime, .spinning].flatMap { ending in
            Story.violations(.everythingEnds, ending: ending) { $0.happens(.actBegan, text: "a") }
        }
        #expect(Set(ends.map(\.fix)).count == 3)
        for fix in ["Mend it.", nil] {
            let audit = AuditKind("gone", one: "a", many: "b", meaning: "c", fix: fix)
            let told = fixes(.trueScreens) { $0.audits = [AuditFinding(audit, user: 0)] }
            #expect(told == [fix ?? RaceInvariant.trueScreens.fix ?? ""])
        }
    }

    @Test("A fix is that of the broken rule, and the drill's own only where that is its topic")
    func fixOfWhatBroke() throws {
        func fixes(_ drill: Drill, _ slip: PocketClient.Slip) throws -> [String] {
            try Self.told(drill, of: slip).map(\.fix)
        }
        #expect(try fixes(.otherProcess, .ignoresOthers).first == Drill.otherProcess.fix)
        #expect(try fixes(.fullPool, .tenPlaces) == [Drill.fullPool.fix])
        // A client without one flight is told so, whatever the drill is about.
        let again = try #require(try fixes(.storageFails, .refreshesBeside).first)
        #expect(again.contains("in flight") && again != Drill.storageFails.fix)
        let stays = try fixes(.startOffline, .offlineStartSignsOut)
        #expect(stays.contains(Fix.staysSignedIn))
    }

    @Test(
        "No title blames a clock where a good token is refreshed whatever the clock says",
        arguments: [Drill.clockAhead, .clockSetBack])
    func clocks(_ drill: Drill) throws {
        let subject = DrillSubject(
            drill: drill, server: .strict, client: PocketUnderTest(slip: .veryLongLead),
            plan: .small(1))
        let played = try subject.play(Schedule(FirstInFirstOut(), windowNanoseconds: 0))
        #expect(played.violations.isEmpty && subject.notes.unseen != nil)
    }
}

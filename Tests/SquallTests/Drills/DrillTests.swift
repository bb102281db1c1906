import Squall
import Testing

@Suite("Drills")
struct DrillTests {
    @Test(
        "A careful client keeps every promise before every server",
        arguments: ["an actor", "a queue"])
    func careful(kind: String) throws {
        let report = try drill(over: drilledService, schedules: 2) {
            kind == "a queue" ? queueClient(on: $0) : carefulClient(on: $0)
        }
        #expect(report.passes)
        #expect(report.cells.count == Drill.all.count * 4)
        #expect(report.cells.allSatisfy { $0.findings.isEmpty })
    }

    @Test(
        "A careful client without one of its rules is caught",
        arguments: CarefulClient.Rule.allCases)
    func mutant(_ rule: CarefulClient.Rule) throws {
        let catching = try #require(Mutants.caught[rule])
        let report = try drill(over: drilledService, asking: [catching], schedules: 2) {
            carefulClient(on: $0, without: rule)
        }
        #expect(report.broken.map(\.id) == [catching.id], "\(report)")
    }
}

/// By which drill each of the careful client's rules is missed.
enum Mutants {
    static let caught: [CarefulClient.Rule: Drill] = [
        .oneRefreshAtATime: .expiredToken, .looksAgain: .lateRefusal, .repeats: .expiredToken,
        .repeatsOnce: .alwaysExpired, .keepsNewRefreshToken: .nextExpiries,
        .keepsOldRefreshToken: .noNewRefreshToken, .forgetsFailedRefresh: .refreshFailsOnce,
        .endsRefusedSession: .refreshRefused, .endsNothingElse: .refreshFailsOnce,
        .dropsOthersAnswers: .signOutDuringRefresh, .dropsOthersCalls: .nextPerson,
        .signOutForgets: .signOutDuringRefresh, .signOutErases: .startAfterSignOut,
        .storesTokens: .killedAfterRefresh, .survivesStorage: .storageFails,
        .refreshOutlivesCaller: .callerCancels, .heedsRetryAfter: .retryAfter,
        .writesOnce: .writeAnswerLost, .startsFromStorage: .killedAfterRefresh,
        .storesBeforeUse: .killedAfterRefresh, .readsAgain: .lockedAtStart,
        .storesAgain: .lockedThenKilled, .looksInStorage: .otherProcess, .expiryIs401: .forbidden,
        .waitersFail: .waitersOfFailure, .repeatsWithNewToken: .expiredToken,
        .repeatsBody: .writeOnExpired, .failsWhenRefusedAgain: .alwaysExpired,
        .storesSignIn: .startOffline, .signsOutOffline: .signOutOffline,
    ]
}

import Squall
import Testing

@Suite("Published refresh bugs")
struct PublishedBugTests {
    static let pieces = [
        PublishedBug(
            "logto-io/swift #60", "each call refreshes", foundBy: .expiredToken,
            UncachedRefresh.self),
        PublishedBug(
            "firebase/firebase-ios-sdk #15474", "each part refreshes at launch", foundBy: .dayAway,
            ElevenAtLaunch.self),
        PublishedBug(
            "home-assistant/iOS #1300", "a 401 signs out", foundBy: .lateRefusal,
            RefusalSignsOut.self),
        PublishedBug(
            "forcedotcom/SalesforceMobileSDK-iOS #2395", "a completion is lost",
            foundBy: .expiredToken,
            LostCompletion.self),
        PublishedBug(
            "supabase-community/gotrue-swift #55", "good for a minute too long",
            foundBy: .expiredToken,
            MinuteTooLong.self),
        PublishedBug(
            "TimeTac/js-client-library #285", "a failed refresh stays", foundBy: .refreshFailsOnce,
            BrokenForEver.self),
        PublishedBug(
            "ForgeRock/forgerock-ios-sdk #362", "offline signs out", foundBy: .refreshAnswerLost,
            OfflineSignsOut.self),
        PublishedBug(
            "ForgeRock/forgerock-ios-sdk #59", "the old refresh token is lost",
            foundBy: .noNewRefreshToken,
            ForgottenRefreshToken.self),
        PublishedBug(
            "p2/OAuth2 #75", "the new one is not stored", foundBy: .killedAfterRefresh,
            HalfStored.self),
        PublishedBug(
            "jonasman/TeslaSwift #185", "tokens are stored later", foundBy: .killedAfterRefresh,
            StoredLater.self),
        PublishedBug(
            "supabase/supabase-swift #1371", "a session after the sign-out",
            foundBy: .signOutDuringRefresh,
            ZombieSession.self),
        PublishedBug(
            "supabase/supabase-swift #707", "a cancelled refresh signs out",
            foundBy: .callerCancels,
            CancelledRefresh.self),
        PublishedBug(
            "Alamofire/Alamofire #3029", "it loops without end", foundBy: .alwaysExpired,
            EndlessRepeat.self),
    ]

    @Test("A drill finds the bug before its mend and nothing after it", arguments: pieces)
    func found(_ piece: PublishedBug) throws {
        let reports = try [false, true].map { isMended in
            try drill(over: drilledService, asking: [piece.foundBy], schedules: 2) {
                piece.client($0, isMended)
            }
        }
        #expect(reports[0].broken.map(\.id) == [piece.foundBy.id], "\(reports[0])")
        #expect(reports[0].cells.contains { $0.firstSchedule == 1 })
        #expect(reports[1].passes)
    }
}

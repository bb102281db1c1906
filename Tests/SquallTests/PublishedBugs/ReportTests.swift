import Foundation
import Squall
import Testing

/// A public report of what phones and HTTP add to OAuth, and the drill that finds it.
struct Report: Sendable, CustomTestStringConvertible {
    /// Where it was published: `owner/name #1`.
    let link: String
    /// What was wrong, in a few words.
    let bug: String
    let fault: ReportedClient.Fault
    let foundBy: Drill

    init(
        _ link: String, _ bug: String, _ fault: ReportedClient.Fault,
        _ drill: Drill
    ) {
        (self.link, self.bug) = (link, bug)
        (self.fault, foundBy) = (fault, drill)
    }

    var testDescription: String { link }

    /// Its row in the article's table.
    var row: String {
        let parts = link.split(separator: " #")
        let address = "https://github.com/\(parts[0])/issues/\(parts[1])"
        return "| [\(link)](\(address)) | \(bug) | \(foundBy.name) |"
    }
}

@Suite("Public reports of what phones and HTTP add")
struct ReportTests {
    static let service = TokenService(
        .bearer, accessLifetime: .seconds(300),
        routes: [
            .get("/posts", json: "[]"), .get("/profile"), .post("/posts", status: 201),
            .get("/items/{page}") { call in
                let page = call.variables.first.flatMap(Int.init) ?? 0
                return ServiceReply(json: "\(page * 2),\(page * 2 + 1)")
            },
        ])

    @Sendable static func client(
        on device: DrillDevice, with fault: ReportedClient.Fault?
    ) -> DrillClient {
        let api = ReportedClient(device, with: fault)
        return DrillClient(
            signIn: { try await api.signIn($0) }, call: { try await api.call("posts") },
            expects: { $0 == "[]" }, otherCalls: [{ try await api.call("profile") }],
            write: { try await api.write() }, signOut: { try await api.signOut() },
            isSignedIn: { await api.isSignedIn }, list: { try await api.list() },
            reconnect: { try await api.connect() },
            otherProcess: { try await ReportedClient(device, with: fault).call("profile") },
            switchTo: { try await api.switchTo($0) },
            earlierVersion: { try await api.signInAsEarlier($0) })
    }

    @Test("A drill finds the report's fault in the first schedule", arguments: reports)
    func found(_ report: Report) throws {
        let answer = try drill(over: Self.service, asking: [report.foundBy], schedules: 1) {
            Self.client(on: $0, with: report.fault)
        }
        #expect(answer.broken.map(\.id) == [report.foundBy.id], "\(answer)")
    }

    @Test(
        "A drill finds a fault without a public report in the first schedule",
        arguments: [
            (ReportedClient.Fault.storesLater, Drill.wokenInBackground),
            (.timerOnly, .redirectDropsToken), (.endless401, .cachedRefusal),
        ])
    func unreported(_ fault: ReportedClient.Fault, _ drill: Drill) throws {
        let answer = try Squall.drill(over: Self.service, asking: [drill], schedules: 1) {
            Self.client(on: $0, with: fault)
        }
        #expect(answer.broken.map(\.id) == [drill.id], "\(answer)")
    }

    @Test("The reported client without its fault keeps every promise")
    func clean() throws {
        // Retry-After is in none of the reports, and the client does not read it.
        let asked = Drill.all.filter { $0.id != "retryAfter" }
        let answer = try drill(over: Self.service, asking: asked, schedules: 2) {
            Self.client(on: $0, with: nil)
        }
        #expect(answer.passes)
    }
}

extension ReportTests {
    static let reports = [
        Report(
            "cfug/dio #1612", "a repeat waits for its own turn", .serialInterceptor,
            .expiredToken),
        Report(
            "vaadin/vaadin-connect #335", "a refused refresh is refreshed",
            .refreshRefreshes, .refreshUnauthorized),
        Report(
            "ktorio/ktor #2572", "tokens outlive the sign-out", .outlivesSignOut,
            .signOutDuringRefresh),
        Report(
            "oblador/react-native-keychain #558", "a locked keychain is empty",
            .lockedIsEmpty, .lockedAtStart),
        Report(
            "ooni/probe-multiplatform #1529", "a locked keychain is empty",
            .lockedIsEmpty, .lockedAtStart),
        Report(
            "open-learning-exchange/myplanet #14415", "a POST is repeated",
            .postsAgain, .writeAnswerLost),
        Report(
            "Alfresco/alfresco-ios-app #1154", "a timer outlives the sign-out",
            .timerGoesOn, .timerAfterSignOut),
        Report(
            "keratin/authn-js #22", "a timer outlives the sign-out", .timerGoesOn,
            .timerOfBefore),
        Report(
            "wireapp/wire-webapp #21603", "a flag in place of a wait", .flagOnly,
            .expiredToken),
        Report(
            "one-covenant/basilica #554", "the lead is longer than the life", .longLead,
            .shortLived),
        Report(
            "AgentWorkforce/relayhistory #112", "403 is taken for an expiry",
            .forbiddenExpires, .forbidden),
        Report(
            "eggheadio/egghead-instructor-center #131", "403 signs out",
            .forbiddenSignsOut, .forbidden),
        Report(
            "thomaslazar/abs-cli #89", "the repeat has no body", .emptyRepeat,
            .writeOnExpired),
        Report(
            "emdash-cms/emdash #2556", "the body is used up", .usedUpStream,
            .writeOnExpired),
        Report(
            "newsiberian/apollo-link-token-refresh #63", "waiters go on",
            .waitersGoOn, .waitersOfFailure),
        Report(
            "google/ground-android #1985", "offline signs out", .offlineSignsOut,
            .startOffline),
        Report(
            "verdigado/gruene-app #625", "offline signs out", .offlineSignsOut,
            .startOffline),
        Report(
            "rinafcode/teachLink_mobile #926", "a refresh is retried for minutes",
            .slowRetries, .refreshRetried),
        Report(
            "csync/TogetherStream #548", "the repeat has the old token",
            .oldTokenAgain, .expiredToken),
        Report(
            "SSWConsulting/SSW.Rewards.Mobile #700", "one lifetime for both tokens",
            .lifetimeOfBoth, .nextExpiries),
        Report(
            "letsrevel/revel-frontend #950", "the loser erases the winner's tokens",
            .loserErases, .expiredToken),
        Report(
            "get-convex/convex-swift #16", "the first token connects again",
            .firstToken, .reconnect),
        Report(
            "hypothesis/client #3837", "the first token connects again",
            .firstToken, .reconnect),
        Report(
            "TomBursch/kitchenowl #1042", "what a locked keychain refused is lost",
            .storesOnce, .lockedThenKilled),
        Report(
            "matrix-org/matrix-rust-sdk #6794", "an overtaken refresh signs out",
            .erasesNewer, .frozenInRefresh),
        Report(
            "buildkite/cli #852", "an overtaken refresh signs out", .erasesNewer,
            .frozenInRefresh),
        Report(
            "ChronoAIProject/NyxID #1521", "the storage is not read again", .memoryOnly,
            .otherProcess),
        Report(
            "square/retrofit #3935", "waiting calls hold every place", .fivePlaces,
            .fullPool),
        Report(
            "mastodon/mastodon-android #435", "a page is left out", .losesPage, .pages),
        Report(
            "okta/okta-mobile-swift #138", "the earlier form is not read",
            .otherFormOnly, .updated),
        Report(
            "realiti4/claude-swap #95", "a refresh writes into the shown account",
            .shownAccount, .switchAccounts),
        Report(
            "forcedotcom/SalesforceMobileSDK-iOS #4087", "a suspended refresh is given up",
            .dropsSlowRefresh, .suspendedInRefresh),
        Report(
            "anitab-org/mentorship-ios #80", "a sign-in keeps the tokens it finds", .keepsFound,
            .reinstalled),
        Report(
            "golang/oauth2 #805", "a redirect takes the token to another host", .leaksToken,
            .redirectLeaksToken),
        Report(
            "bucketeer-io/bucketeer #2455", "each 401 is refreshed",
            .endless401, .otherRefusal),
    ]
}

import Squall
import Testing

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
    func found(report: String) throws {
        let foundBy = try PublishedBug.named(report).foundBy
        let answer = try drill(over: Self.service, asking: [foundBy], schedules: 1) {
            Self.client(on: $0, with: Self.faults[report])
        }
        #expect(answer.broken.map(\.id) == [foundBy.id], "\(answer)")
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
    /// What the client does wrong, by the report of it.
    private static let faults: [String: ReportedClient.Fault] = [
        "cfug/dio #1612": .serialInterceptor,
        "vaadin/vaadin-connect #335": .refreshRefreshes,
        "ktorio/ktor #2572": .outlivesSignOut,
        "oblador/react-native-keychain #558": .lockedIsEmpty,
        "ooni/probe-multiplatform #1529": .lockedIsEmpty,
        "open-learning-exchange/myplanet #14415": .postsAgain,
        "Alfresco/alfresco-ios-app #1154": .timerGoesOn,
        "keratin/authn-js #22": .timerGoesOn,
        "wireapp/wire-webapp #21603": .flagOnly,
        "one-covenant/basilica #554": .longLead,
        "AgentWorkforce/relayhistory #112": .forbiddenExpires,
        "eggheadio/egghead-instructor-center #131": .forbiddenSignsOut,
        "thomaslazar/abs-cli #89": .emptyRepeat,
        "emdash-cms/emdash #2556": .usedUpStream,
        "newsiberian/apollo-link-token-refresh #63": .waitersGoOn,
        "google/ground-android #1985": .offlineSignsOut,
        "verdigado/gruene-app #625": .offlineSignsOut,
        "rinafcode/teachLink_mobile #926": .slowRetries,
        "csync/TogetherStream #548": .oldTokenAgain,
        "SSWConsulting/SSW.Rewards.Mobile #700": .lifetimeOfBoth,
        "letsrevel/revel-frontend #950": .loserErases,
        "get-convex/convex-swift #16": .firstToken,
        "hypothesis/client #3837": .firstToken,
        "TomBursch/kitchenowl #1042": .storesOnce,
        "matrix-org/matrix-rust-sdk #6794": .erasesNewer,
        "buildkite/cli #852": .erasesNewer,
        "ChronoAIProject/NyxID #1521": .memoryOnly,
        "square/retrofit #3935": .fivePlaces,
        "mastodon/mastodon-android #435": .losesPage,
        "okta/okta-mobile-swift #138": .otherFormOnly,
        "realiti4/claude-swap #95": .shownAccount,
        "forcedotcom/SalesforceMobileSDK-iOS #4087": .dropsSlowRefresh,
        "anitab-org/mentorship-ios #80": .keepsFound,
        "golang/oauth2 #805": .leaksToken,
        "bucketeer-io/bucketeer #2455": .endless401,
    ]

    static let reports = faults.keys.sorted()
}

import Squall
import Testing

@Suite("Published refresh bugs")
struct PublishedBugTests {
    /// Clients that have the bug before its mend, by where it was published.
    private static let clients: [String: any BugClient.Type] = [
        "logto-io/swift #60": UncachedRefresh.self,
        "firebase/firebase-ios-sdk #15474": ElevenAtLaunch.self,
        "home-assistant/iOS #1300": RefusalSignsOut.self,
        "forcedotcom/SalesforceMobileSDK-iOS #2395": LostCompletion.self,
        "supabase-community/gotrue-swift #55": MinuteTooLong.self,
        "TimeTac/js-client-library #285": BrokenForEver.self,
        "ForgeRock/forgerock-ios-sdk #362": OfflineSignsOut.self,
        "ForgeRock/forgerock-ios-sdk #59": ForgottenRefreshToken.self,
        "p2/OAuth2 #75": HalfStored.self,
        "jonasman/TeslaSwift #185": StoredLater.self,
        "supabase/supabase-swift #1371": ZombieSession.self,
        "supabase/supabase-swift #707": CancelledRefresh.self,
        "Alamofire/Alamofire #3029": EndlessRepeat.self,
    ]

    @Test(
        "A drill finds the bug before its mend and nothing after it",
        arguments: clients.keys.sorted())
    func found(link: String) throws {
        let (foundBy, exhibit) = (try PublishedBug.named(link).foundBy, Self.clients[link])
        let reports = try [false, true].map { isMended in
            try drill(over: drilledService, asking: [foundBy], schedules: 2) { device in
                Self.client(try #require(exhibit), device, isMended)
            }
        }
        #expect(reports[0].broken.map(\.id) == [foundBy.id], "\(reports[0])")
        #expect(reports[0].cells.contains { $0.firstSchedule == 1 })
        #expect(reports[1].passes)
    }

    private static func client(
        _ exhibit: any BugClient.Type, _ device: DrillDevice, _ isMended: Bool
    ) -> DrillClient {
        let wire = TokenWire(base: device.url, session: device.session)
        let api = exhibit.init(BugClientDevice(wire, device.storage, isMended: isMended))
        return DrillClient(
            signIn: { try await api.signIn($0.email, $0.password) },
            call: { try await api.call("posts") },
            otherCalls: [{ try await api.call("profile") }],
            signOut: { try await api.signOut() }, isSignedIn: { await api.isSignedIn })
    }

    @Test("Each row of the article has a client that shows it, and its address")
    func article() {
        let rows = PublishedBug.all
        #expect(rows.map(\.link).sorted() == (Self.clients.keys + ReportTests.reports).sorted())
        for row in rows {
            let parts = row.link.split(separator: " #")
            #expect(row.address == "https://github.com/\(parts[0])/issues/\(parts[1])")
        }
    }
}

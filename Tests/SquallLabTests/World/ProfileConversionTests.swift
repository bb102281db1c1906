import SquallCases
import SquallBackend
import SquallFormat
import SquallKernel
import SquallServices
import Testing

@testable import SquallLab

@Suite("From the table of settings to plans")
struct ProfileConversionTests {
    /// Settings that mean nothing unless another one says so, and those that are lists.
    private static let conditional = [
        "backend.tokens.reuseWindow", "backend.tokens.reuseGenerations",
        "backend.tokens.replaysUnusedChild", "backend.tokens.reuseEndsSiblings", "backend.faults",
        "backend.server.serviceTimes",
        "backend.server.priorities", "backend.server.late",
        // A service of one's own takes the place of the server of the profile's app.
        "backend.service.endpoints",
    ]

    /// Values of settings that are made of others.
    private static let composed = [
        "backend.server.workerStages": #"[{"at": "1s", "workers": 7}]"#,
        "backend.server.pools": #"[{"name": "lists", "endpoints": ["posts"], "workers": 7}]"#,
        "backend.server.database": #"{"connections": 7}"#,
        "backend.network.classes":
            #"[{"name": "far", "share": 0.5, "up": "1s", "down": "1s"}]"#,
        "backend.network.connections": #"{"protocol": "http1"}"#,
        "backend.service.origin": "https://other.example",
        "backend.service.token": #"{"query": "key"}"#,
        "backend.service.logIn": #"{"path": "/in"}"#,
        "backend.service.refresh": #"{"path": "/renewal"}"#,
        "backend.service.logOut": #"{"path": "/out"}"#,
        "backend.service.delivery": #"{"cookies": {}}"#,
        "backend.service.signInDelivery": #"{"cookies": {}}"#,
        "backend.service.csrf": #"{"header": "X-Other"}"#,
        "backend.service.jwt": #"{"subject": "uid"}"#,
        "backend.service.tokenHeaders": #"["X-Other: 7"]"#,
        "backend.tokens.parallelWindow": "47s",
        "backend.service.expired": #"{"status": 498}"#,
        "backend.service.unauthorized": #"{"status": 498}"#,
        "backend.service.signedOut": #"{"status": 498}"#,
        "backend.service.early": #"{"status": 498}"#,
        "backend.service.missingRefresh": #"{"status": 498}"#,
        "backend.service.refreshAsAccess": #"{"status": 498}"#,
        "backend.service.accessAsRefresh": #"{"status": 498}"#,
        "backend.service.unknownRefresh": #"{"status": 498}"#,
        "backend.service.refreshExpired": #"{"status": 498}"#,
        "backend.service.missingAccount": #"{"status": 498}"#,
        "backend.service.wrongPassword": #"{"status": 498}"#,
        "backend.service.ended": #"{"status": 498}"#,
        "backend.service.missing": #"{"status": 498}"#,
    ]

    /// The key paths of the backend's settings with a value that is not the default.
    private static let changes: [(path: String, value: String)] = {
        let backend = Profile.settings(.installed).first { $0.key == "backend" }
        return changes(of: backend?.shape.inner.settings ?? [], under: "backend.")
            .filter { !conditional.contains($0.path) }
    }()

    private static func changes(
        of rows: [SettingRow], under prefix: String
    ) -> [(path: String, value: String)] {
        rows.flatMap { row -> [(path: String, value: String)] in
            let inner = row.shape.inner.settings
            guard inner.isEmpty || row.shape.words == "list" || row.presence == .optional else {
                return changes(of: inner, under: prefix + row.key + ".")
            }
            let path = prefix + row.key
            return [(path, composed[path] ?? value(for: row))]
        }
    }

    private static func value(for row: SettingRow) -> String {
        let schema = row.shape.schema
        switch (schema["type"], schema["enum"], row.presence) {
        case (_, .array(let words)?, _): return words.last?.line ?? ""
        case ("boolean", _, .otherwise(let flag)): return flag == .bool(true) ? "false" : "true"
        case ("integer", _, _), ("number", _, _): return schema["maximum"]?.line ?? ""
        case ("object", _, _): return #"{"perSecond": 7}"#
        default: return "77s"
        }
    }

    private static let declared = """
        {
          "schemaVersion": 1,
          "populations": [{ "app": "own", "users": 100, "journeys": { "look": 1 } }],
          "apps": [{
            "name": "own", "screens": [{ "name": "home", "calls": [["posts"]] }],
            "journeys": [{ "name": "look", "steps": ["home"] }]
          }],
          "backend": { "service": { "endpoints": [{ "name": "posts", "path": "/posts" }] } }
        }
        """

    @Test("Every setting of the backend reaches a plan", arguments: changes)
    func mapped(path: String, value: String) throws {
        // More posts than their identifiers can number would be refused.
        let value = path.contains("novels") || path.contains("episodes") ? "49" : value
        let override = try #require(ProfileOverride(setting: "\(path)=\(value)"))
        let isOwn = path.hasPrefix("backend.service.")
        let text = isOwn ? Self.declared : Profile.minimal()
        let read = { overrides in
            try Profile.read(
                Array(text.utf8), file: "test", vocabulary: .installed, overrides: overrides)
        }
        let plain = try plans(of: read([]))
        #expect(isOwn || plain == standard)
        #expect(try plans(of: read([override])) != plain, "\(path)=\(value) changes no plan")
    }

    @Test("A profile that says nothing has the plans of the table's defaults")
    func defaults() throws {
        #expect(Self.changes.count > 40)
        let profile = try Profile.read(Profile.minimal())
        #expect(plans(of: profile) == standard)
        let written = try Profile.read(
            Profile.minimal(#""backend": {"network": {}, "content": {}, "faults": []},"#))
        #expect(plans(of: written) == standard)
    }

    /// What plans say, whoever they are for.
    private struct Plans: Equatable {
        let backendPlan: String
        let services: [CheckedSetting]

        init(_ backendPlan: BackendPlan, _ services: ServicesPlan) {
            var backendPlan = backendPlan
            backendPlan.userCount = 0
            self.backendPlan = "\(backendPlan)"
            self.services = ServiceKind.all.flatMap(\.settings).map { services[$0] }
        }
    }

    private func plans(of profile: Profile) -> Plans {
        Plans(BackendPlan(profile), ServicesPlan(profile))
    }

    private var standard: Plans { Plans(.standard, .standard) }

    @Test("A service's setting is what was said last, and its default where nothing was")
    func services() {
        var plan = ServicesPlan.standard
        #expect(plan.catalogue.items == 1_000 && plan.contract.years == [.year2024])
        plan.catalogue.items = 50
        plan[PaymentPlan.setting].cancelProbability = 0.5
        #expect(plan.catalogue.items == 50 && plan.payments.cancelProbability == 0.5)
        #expect(plan.catalogue.startMax == 1_000 && plan.contract.content.novels == 20)
    }

    @Test("The two defaults that had drifted are those of the table")
    func drifted() {
        let plan = BackendPlan.standard
        #expect(
            plan.network.up
                == .logNormal(median: 40_000_000, sigma: 0.4, maximum: 2_000_000_000))
        #expect(
            plan.server.serviceTime
                == .logNormal(median: 20_000_000, sigma: 0.5, maximum: 5_000_000_000))
    }
}

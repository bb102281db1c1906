import SquallBackend
import SquallFormat
import SquallKernel
import SquallProfile
import SquallServices
import Testing

@testable import SquallLab

@Suite("From the table of settings to plans")
struct ProfileConversionTests {
    /// Settings that mean nothing unless another one says so, and those that are lists.
    private static let conditional = [
        "backend.tokens.reuseWindow", "backend.tokens.reuseGenerations",
        "backend.tokens.replaysUnusedChild", "backend.faults", "backend.server.serviceTimes",
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
            return [(prefix + row.key, value(for: row))]
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

    @Test("Every setting of the backend reaches a plan", arguments: changes)
    func mapped(path: String, value: String) throws {
        // More posts than their identifiers can number would be refused.
        let value = path.contains("novels") || path.contains("episodes") ? "49" : value
        let override = try #require(ProfileOverride(setting: "\(path)=\(value)"))
        let profile = try Profile.read(
            Array(Profile.minimal().utf8), file: "test", vocabulary: .installed,
            overrides: [override])
        #expect(plans(of: profile) != standard, "\(path)=\(value) changes no plan")
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

    private func plans(of profile: Profile) -> String {
        var (farSide, services) = (BackendPlan(profile), ServicesPlan(profile))
        (farSide.userCount, services.userCount) = (0, 0)
        return "\(farSide) \(services)"
    }

    private var standard: String { "\(BackendPlan.standard) \(ServicesPlan.standard)" }

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

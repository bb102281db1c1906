import SquallApps
import SquallFormat
import SquallLab
import TestSupport
import Testing

@Suite("Schema and reader")
struct SchemaAgreementTests {
    @Test("The schema allows an app the designs that the reader takes for it, and no others")
    func designs() throws {
        let vocabulary = ProfileVocabulary.installed
        let names = vocabulary.designs + ["none"]
        for app in vocabulary.apps {
            let allowed = try Self.designs(of: app.name)
            for design in names {
                let isRead = try Self.isRead(design, by: app)
                #expect(allowed.contains(design) == isRead, "\(app.name) \(design)")
            }
        }
    }

    /// The designs that the schema's rule for an app has.
    private static func designs(of app: String) throws -> [String] {
        let path: [String] = ["else", "properties", "populations", "items", "allOf"]
        let schema = try JSONParser.parse(
            Array(ProfileSchema.json(for: .installed).document.utf8))
        let rules = path.reduce(schema as JSONNode?) { $0?[$1] }
        let rule = rules?.list.first { rule in
            rule["if"]?["properties"]?["app"]?["const"]?.string == app
        }
        let found = rule?["then"]?["properties"]?["design"]?["enum"]
        return try #require(found).list.compactMap(\.string)
    }

    /// Whether the reader has nothing against a design of an app.
    private static func isRead(_ design: String, by app: AppDescription) throws -> Bool {
        let journey = try #require(app.journeys.first?.name)
        let text = """
            {"schemaVersion": 1, "populations": [{"app": "\(app.name)", "design": "\(design)",
              "users": 1, "journeys": {"\(journey)": 1}}]}
            """
        do {
            _ = try Profile.read(Array(text.utf8), file: "x", vocabulary: .installed)
            return true
        } catch {
            return !error.problems.contains { $0.path.hasSuffix("/design") }
        }
    }
}

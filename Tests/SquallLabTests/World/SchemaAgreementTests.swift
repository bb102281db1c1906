import Foundation
import SquallApps
import SquallFormat
import SquallLab
import TestSupport
import Testing

@Suite("Schema and reader")
struct SchemaAgreementTests {
    private static let schema = JSONNode(ProfileSchema.json(for: .installed))
    private static let profiles = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Profiles")
    private static let names = (FileManager.default.subpaths(atPath: profiles.path()) ?? [])
        .filter { $0.hasSuffix(".json") }.sorted()

    @Test(
        "The schema allows a shipped profile, and no further member anywhere in it",
        arguments: names)
    func shipped(name: String) throws {
        let bytes = Array(try Data(contentsOf: Self.profiles.appending(path: name)))
        let profile = try JSONParser.parse(bytes)
        let check = SchemaCheck(Self.schema)
        #expect(check.problems(of: profile) == [])
        // What is assumed may be anything.
        for (path, changed) in profile.withOneMemberMore where !path.hasPrefix("/assumed") {
            #expect(!check.problems(of: changed).isEmpty, "\(path)")
        }
    }

    @Test(
        "The schema allows a server setting the endpoints of a declared service, and no other",
        arguments: [
            #""serviceTimes": {"NAME": "1s"}"#, #""order": "priority", "priorities": {"NAME": 1}"#,
            #""pools": [{"name": "p", "workers": 1, "endpoints": ["NAME"]}]"#,
            #""database": {"connections": 1, "endpoints": ["NAME"]}"#,
        ])
    func endpoints(setting: String) throws {
        let service = #""service": {"endpoints": [{"name": "own", "path": "/own"}]},"#
        for (service, name, isAllowed) in [
            (service, "own", true), ("", "own", false), ("", "posts", true),
        ] {
            let text = """
                {"schemaVersion": 1, "populations": [{"users": 1, "journeys": {"read": 1}}],
                 "backend": {\(service) "server": {\(setting.replacing("NAME", with: name))}}}
                """
            let document = try JSONParser.parse(Array(text.utf8))
            let problems = SchemaCheck(Self.schema).problems(of: document)
            #expect(problems.isEmpty == isAllowed, "\(service) \(name): \(problems)")
            #expect(Self.readerAllows(text, below: "/backend/server") == isAllowed)
        }
    }

    @Test("The schema allows names of a declared service and app, and of no other")
    func declared() throws {
        func problems(_ more: String, _ app: String, _ endpoint: String) throws -> [String] {
            let service = #""service": {"endpoints": [{"name": "a", "path": "/a"}]},"#
            let text = """
                {"schemaVersion": 1, \(more)
                 "populations": [{"app": "\(app)", "users": 1, "journeys": {"read": 1}}],
                 "backend": {
                   \(more.isEmpty ? "" : service)
                   "faults": [{"kind": "latency", "at": "0s", "endpoints": ["\(endpoint)"]}]}}
                """
            return SchemaCheck(Self.schema).problems(of: try JSONParser.parse(Array(text.utf8)))
        }
        let apps =
            #""apps": [{"name": "mine", "screens": [{"name": "home", "calls": [["a"]]}],"#
            + #" "journeys": [{"name": "read", "steps": ["home"]}]}],"#
        #expect(try problems(apps, "mine", "a") == [])
        #expect(try problems("", "scrolly", "posts") == [])
        #expect(try problems("", "mine", "posts") != [])
        #expect(try problems("", "scrolly", "a") != [])
    }

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

    /// Whether the reader has nothing against what is below a path.
    private static func readerAllows(_ text: String, below path: String) -> Bool {
        do {
            _ = try Profile.read(Array(text.utf8), file: "x", vocabulary: .installed)
            return true
        } catch {
            return !error.problems.contains { $0.path.hasPrefix(path) }
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
        return readerAllows(text, below: "/populations/0/design")
    }
}

extension JSONNode {
    /// The document with an unknown member in each of its objects, by the object's path.
    fileprivate var withOneMemberMore: [(path: String, changed: JSONNode)] {
        switch value {
        case .object(let members):
            let more = Member(
                name: "noSuchSetting", place: TextPlace(), value: JSONNode(.bool(true)))
            return [("", JSONNode(value: .object(members + [more]), place: place))]
                + members.indices.flatMap { index in
                    let member = members[index]
                    return member.value.withOneMemberMore.map { path, changed in
                        var all = members
                        all[index] = Member(
                            name: member.name, place: member.place, value: changed)
                        return (
                            "/\(member.name)\(path)", JSONNode(value: .object(all), place: place)
                        )
                    }
                }
        case .array(let elements):
            return elements.indices.flatMap { index in
                elements[index].withOneMemberMore.map { path, changed in
                    var all = elements
                    all[index] = changed
                    return ("/\(index)\(path)", JSONNode(value: .array(all), place: place))
                }
            }
        default: return []
        }
    }
}

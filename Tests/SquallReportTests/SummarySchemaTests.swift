import SquallFormat
import SquallReport
import TestSupport
import Testing

@Suite("Schema of summary.json")
struct SummarySchemaTests {
    @Test("Every summary is what the schema says, and nothing is left open")
    func valid() throws {
        for summary in [try RunSummary.sample { $0.fill(driven: true) }, try .sample(), .empty] {
            let document = try Self.node(JSONDocument.text(summary))
            #expect(SchemaCheck(try Self.schema()).problems(of: document) == [])
        }
    }

    @Test("Every member of the schema is in a full summary, however deep")
    func complete() throws {
        let document = try Self.node(JSONDocument.text(RunSummary.sample { $0.fill(driven: true) }))
        #expect(Self.unseen(in: [document], try Self.schema(), "") == [])
    }

    @Test(
        "The schema refuses what is missing, unknown or of another type",
        arguments: [
            ("\"seed\" : 42", "\"sed\" : 42"), ("\"seed\" : 42", "\"seed\" : \"42\""),
            ("\"seed\" : 42", "\"seed\" : 42, \"extra\" : 1"),
            ("\"verdict\" : \"failed\"", "\"verdict\" : \"fine\""),
        ])
    func invalid(old: String, new: String) throws {
        let text = JSONDocument.text(try RunSummary.sample())
        let document = try Self.node(text.replacing(old, with: new))
        #expect(!SchemaCheck(try Self.schema()).problems(of: document).isEmpty)
    }

    private static func node(_ text: String) throws -> JSONNode {
        try JSONParser.parse(Array(text.utf8))
    }

    private static func schema() throws -> JSONNode {
        try node(SummarySchema.json(for: .sample).document)
    }

    /// The members of a schema that none of some values has with anything but null.
    private static func unseen(
        in values: [JSONNode], _ schema: JSONNode, _ path: String
    ) -> [String] {
        let values = values.filter { $0.value != .null }
        guard !values.isEmpty else { return [path] }
        if let items = schema["items"] {
            return unseen(in: values.flatMap(\.list), items, path + "/*")
        }
        return schema["properties"]?.members.flatMap { property in
            unseen(
                in: values.compactMap { $0[property.name] }, property.value,
                "\(path)/\(property.name)")
        } ?? []
    }
}

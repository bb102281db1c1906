import Foundation
import SquallFormat
import SquallReport
import Testing

@Suite("Schema of summary.json")
struct SummarySchemaTests {
    @Test("Every summary is what the schema says, and nothing is left open")
    func valid() throws {
        for summary in [try RunSummary.sample { $0.fill(driven: true) }, try .sample(), .empty] {
            let document = try Self.node(JSONDocument.text(summary))
            #expect(Self.problems(of: document, try Self.schema(), "") == [])
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
        #expect(!Self.problems(of: document, try Self.schema(), "").isEmpty)
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
            return unseen(in: values.flatMap(\.elements), items, path + "/*")
        }
        return schema["properties"]?.members.flatMap { name, property in
            unseen(in: values.compactMap { $0[name] }, property, "\(path)/\(name)")
        } ?? []
    }

    /// As much of JSON Schema as is needed here, from its specification.
    private static func problems(
        of value: JSONNode, _ schema: JSONNode, _ path: String
    ) -> [String] {
        if let words = schema["enum"], !words.elements.map(\.value).contains(value.value) {
            return [path]
        }
        if let only = schema["const"], only.value != value.value { return [path] }
        let types = schema["type"].map { $0.elements.isEmpty ? [$0] : $0.elements } ?? []
        guard types.isEmpty || types.contains(where: { value.isOf($0) }) else { return [path] }
        let items = schema["items"].map { items in
            value.elements.enumerated().flatMap { problems(of: $1, items, "\(path)/\($0)") }
        }
        guard let known = schema["properties"], value.value != .null else { return items ?? [] }
        let missing = known.members.map(\.0).filter { value[$0] == nil }
        let present = value.members.flatMap { name, member in
            known[name].map { problems(of: member, $0, "\(path)/\(name)") }
                ?? ["\(path)/\(name)"]
        }
        return missing.map { "\(path)/\($0)" } + present
    }
}

extension JSONNode {
    fileprivate var elements: [JSONNode] {
        if case .array(let elements) = value { elements } else { [] }
    }

    fileprivate var members: [(String, JSONNode)] {
        if case .object(let members) = value { members.map { ($0.name, $0.value) } } else { [] }
    }

    fileprivate func isOf(_ type: JSONNode) -> Bool {
        switch (value, type.value) {
        case (.object, .string("object")), (.array, .string("array")), (.null, .string("null")),
            (.string, .string("string")), (.bool, .string("boolean")),
            (.number, .string("number")):
            true
        case (.number(let digits), .string("integer")): !digits.contains { ".e".contains($0) }
        default: false
        }
    }
}

public import SquallFormat

/// A response as a profile writes it down.
public struct DeclaredResponse: Sendable {
    var status: Int
    var type: String
    var body: JSON?
    var row: JSON?
    /// The first objects of a list, where they are not as `row` says.
    var examples: [JSON]
    /// Bodies of other types, which a request asks for by `Accept`; null for the same body.
    var otherTypes: [String: JSON]
    var headers: [String: JSON]

    init(_ read: inout SettingsReader, usually status: Int64, isOfList: Bool) {
        self.status = read(
            "status", .integer(200...599), otherwise: .integer(status), "The status.")
        type = read(
            "type", .text(1...100), otherwise: "application/json", "The media type of its body.")
        body = read.optional(
            "body", .json,
            "Its body, none by default; {{number}} is the object's number, {{Name}} one of the"
                + " service's objects: AnAPIFromItsDocument has all variables.")
        row =
            isOfList
            ? read.optional(
                "row", .json, "Each object of a list; {{rows}} in the body is where they stand.")
            : nil
        examples =
            isOfList
            ? read(
                "examples", .list(of: .json, 0...1_000), otherwise: [],
                "The first objects of the list as they are; those behind them are as 'row' says.")
            : []
        otherTypes =
            isOfList
            ? read(
                "otherTypes", .jsonObject, otherwise: [:],
                "Bodies of other types, which a request asks for by Accept, as"
                    + " { \"text/csv\": \"a;b\" }; null for the same body.")
            : [:]
        headers = read(
            "headers", .jsonObject, otherwise: [:],
            "Header fields by their names; one with a variable without a value is left out.")
    }

    /// False for a body of another kind; one that is not said has the endpoint's `bytes`.
    var isJSON: Bool { type.contains("json") }

    /// The response, with the service's objects in the places of their names.
    func made(of objects: [String: JSON]) throws(DeclaredTemplate.Problem) -> Made {
        var made = Made(status: status)
        if let body {
            made.body = try DeclaredTemplate(body, objects: objects, isText: !isJSON)
        }
        if body != nil || !isJSON {
            made.headers.append(("Content-Type", try DeclaredTemplate(.string(type), isText: true)))
        }
        if let row { made.row = try DeclaredTemplate(row, objects: objects) }
        for example in examples {
            made.examples.append(try DeclaredTemplate(example, objects: objects))
        }
        for (type, body) in otherTypes.sorted(by: { $0.key < $1.key }) {
            let own = body == .null ? nil : try DeclaredTemplate(body, isText: true)
            made.otherTypes.append((type, own))
        }
        made.type = type
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            made.headers.append((name, try DeclaredTemplate(value, isText: true)))
        }
        return made
    }

    struct Made: Sendable {
        let status: Int
        var headers: [(name: String, value: DeclaredTemplate)] = []
        var body: DeclaredTemplate?
        var row: DeclaredTemplate?
        var examples: [DeclaredTemplate] = []
        /// The type of the body, and other ones with their bodies; `nil` for the same.
        var type = ""
        var otherTypes: [(type: String, body: DeclaredTemplate?)] = []

        fileprivate init(status: Int) { self.status = status }

        /// The response without its body.
        func reply(_ facts: DeclaredTemplate.Facts) -> ServiceReply {
            ServiceReply(
                status: status,
                headers: headers.compactMap { name, value in
                    guard value.isComplete(facts) else { return nil }
                    return (name, String(decoding: value.bytes(facts), as: UTF8.self))
                })
        }

        /// The response that is no page.
        func whole(_ facts: DeclaredTemplate.Facts) -> ServiceReply {
            var reply = reply(facts)
            reply.body = body?.bytes(facts) ?? []
            return reply
        }
    }
}

/// The parts of a declared call's request, which also are what the service expects.
public struct DeclaredRequest: Sendable {
    /// Its query, such as `sort=asc`; the service refuses a request without each of its names.
    public var query: String
    /// The values of variables of the path; numbers from 1 where nothing is said.
    public var path: [String: JSON]
    /// Its header fields, by name; the service refuses a request without each of them.
    public var headers: [String: JSON]
    /// What the service checks of texts in its address and its header fields.
    let checked: Checked
    /// True if the service refuses a request without a body; where `nil`, members that must be
    /// there decide.
    let needsBody: Bool?
    /// Its body.
    public var body: JSON?
    /// What the service checks of a body, the members among it that must be there; `nil` where any
    /// body, or none, will do.
    let schema: ValueSchema?
    /// The media type of the body.
    public var type: String
    /// Other types that a body may have, by their words or media types, each with the members that
    /// it must have.
    let otherTypes: [String: ValueSchema]

    init(_ read: inout SettingsReader) {
        query = read(
            "query", .text(0...2_000), otherwise: "",
            "What every request has in its address, such as \"sort=asc\".")
        path = read(
            "path", .jsonObject, otherwise: [:],
            "Values of the path's variables, such as { \"id\": \"{{uuid}}\" }; numbers by default.")
        headers = read("headers", .jsonObject, otherwise: [:], "Header fields by their names.")
        let numbers = path.filter { $0.value == "{{number}}" }.mapValues { _ in Self.number }
        checked =
            read.optional(
                "checked", .section { Checked(&$0, numbers) },
                "What is checked of texts in the query, the path and header fields.")
            ?? Checked(numbers)
        needsBody = read.optional(
            "needsBody", .flag,
            "Whether a request without a body is refused; by default where it must have members.")
        body = read.optional(
            "body", .json, "The body, with {{number}} as in a response; replaces requestBytes.")
        let required = read.optional(
            "required", .list(of: .text(1...200), 0...1_000),
            "The members without which a body is refused; by default all that 'body' has.")
        let checked = read.optional(
            "schema", .jsonObject,
            "The body's JSON Schema: type, enum, properties, required, items, anyOf, oneOf, allOf"
                + " and limits are checked.")
        let needed = required ?? (checked == nil ? body?.members.keys.sorted() : nil) ?? []
        let whole = checked.map { ValueSchema(.object($0)) }
        schema = needed.isEmpty ? whole : (whole ?? ValueSchema()).requiring(needed)
        type = read(
            "type", .words(["json", "form", "multipart"]), otherwise: "json",
            "How the body is written.")
        let others = read(
            "otherTypes", .jsonObject, otherwise: [:],
            "Other types of body that it takes, with what each must have, as"
                + " { \"form\": [\"name\"] }.")
        otherTypes = others.mapValues { value in
            guard case .array(let names) = value else { return [] }
            return names.compactMap { if case .string(let name) = $0 { name } else { nil } }
        }.mapValues { ValueSchema().requiring($0) }
    }

    /// The type of a body that a client sends, and what is checked of it.
    ///
    /// A `Content-Type` of none of the types that are taken is judged as the first one.
    func expected(of contentType: String?) -> (type: String, schema: ValueSchema?) {
        guard !otherTypes.isEmpty else { return (type, schema) }
        let sent = contentType?.lowercased() ?? ""
        let other = otherTypes.filter { sent.contains(Self.marks[$0.key] ?? $0.key) }
            .min { $0.key < $1.key }
        return other.map { ($0.key, $0.value) } ?? (type, schema)
    }

    /// The schema of a path's variable that stands for an object's number.
    private static let number: JSON = .object(["type": "integer"])

    /// The schemas of texts, each of an object with their names.
    struct Checked: Sendable {
        let query, path, headers: ValueSchema

        fileprivate init(
            _ path: [String: JSON], query: [String: JSON] = [:], headers: [String: JSON] = [:]
        ) {
            func whole(_ own: [String: JSON]) -> ValueSchema {
                ValueSchema(.object(["properties": .object(own)]))
            }
            (self.query, self.path, self.headers) = (whole(query), whole(path), whole(headers))
        }

        fileprivate init(_ read: inout SettingsReader, _ numbers: [String: JSON]) {
            func schemas(_ name: String, _ about: String) -> [String: JSON] {
                read(
                    name, .jsonObject, otherwise: [:],
                    "JSON Schemas of \(about) by their names, as for 'schema'.")
            }
            let query = schemas("query", "the query's parameters")
            let path = schemas("path", "the path's variables")
            self.init(
                numbers.merging(path) { _, own in own }, query: query,
                headers: schemas("headers", "header fields"))
        }
    }

    /// What media types have in common that are written in one way.
    private static let marks = ["form": "x-www-form-urlencoded"]

    /// The names that a query must have.
    var names: [String] { FormFields.pairs(in: Array(query.utf8)).map(\.name) }
}

extension SettingFormat<JSON> {
    /// Any value.
    static var json: SettingFormat {
        SettingFormat(
            describe: { SettingShape("any JSON", [:], .anything) }, placeholder: { .null },
            read: { node, _, _ in JSON(node) })
    }
}

extension SettingFormat<[String: JSON]> {
    /// An object with any members.
    static var jsonObject: SettingFormat {
        SettingFormat(
            describe: { SettingShape("object", ["type": "object"]) }, placeholder: { [:] },
            read: { node, path, problems in
                node.members(at: path, &problems).map { members in
                    Dictionary(members.map { ($0.name, JSON($0.value)) }) { first, _ in first }
                }
            })
    }
}

import SquallFormat
import SquallHTTP

/// The paging of a document's call, by the names of its parameters.
struct OpenAPIPaging {
    /// The way, its parameter, and the number of its first page.
    private(set) var way: (by: String, parameter: String, firstPage: Int?)?
    private var size: (parameter: String, usual: Int64?, most: Int64?)?

    private static let ways: [(by: String, names: Set<String>)] = [
        (
            "cursor",
            [
                "cursor", "after", "pagetoken", "nexttoken", "marker", "continuationtoken",
                "startingafter", "nextcursor", "pagecursor", "pageafter", "aftercursor", "bookmark",
                "nextpagetoken", "continue", "token", "sinceid", "lastid", "afterid",
            ]
        ),
        (
            "page",
            ["page", "pagenumber", "pageno", "pagenum", "pageindex", "currentpage", "p", "pageid"]
        ),
        ("offset", ["offset", "skip", "start", "startindex", "from", "pageoffset", "pagestart"]),
    ]
    private static let sizes: Set<String> = [
        "limit", "perpage", "pagesize", "size", "maxresults", "take", "top", "first", "pagelimit",
        "count", "maxitems", "pagelength", "itemsperpage", "rows", "resultsperpage", "pagecount",
    ]

    init(_ call: OpenAPICall, _ file: OpenAPIFile) throws {
        for parameter in try file.parameters(of: call) where parameter.text("in") == "query" {
            guard let name = parameter.text("name") else { continue }
            let word = TokenNames.word(name)
            let node = parameter["schema"] ?? parameter
            let schema = try file.schema(node, call.pointer)
            let all = try [schema] + file.alternatives(of: schema)
            if Self.sizes.contains(word), size == nil {
                size = (name, Self.whole(all, "default"), Self.whole(all, "maximum"))
            } else if let own = Self.ways.first(where: { $0.names.contains(word) }), way == nil,
                Self.isPlace(all, by: own.by)
                    && (own.by != "cursor" || parameter["required"]?.value != .bool(true))
            {
                let isZero = ["default", "minimum"].contains { schema.number($0) == 0 }
                way = (own.by, name, own.by == "page" && isZero ? 0 : nil)
            }
        }
    }

    /// False for a text that is a date or a name: the `from` and the `start` of reports.
    private static func isPlace(_ all: [OpenAPISchema], by way: String) -> Bool {
        way == "cursor" || all.contains { ["integer", "number"].contains($0.type) }
            || !all.contains { $0.type == "string" }
    }

    private static func whole(_ all: [OpenAPISchema], _ key: String) -> Int64? {
        all.lazy.compactMap { $0.number(key) }.first { 1...10_000 ~= $0 && $0.rounded() == $0 }
            .map { Int64($0) }
    }

    /// True if the call asks for pages at all.
    var isPaged: Bool { way != nil }

    /// How many objects a page has by default, where the document says it.
    var usualSize: Int64? { size?.usual }

    /// The setting `list` of an endpoint; `nil` without pages.
    func setting(objects: Int64, rows: Int64) -> ProfileValue? {
        way.map { way in
            [
                "by": "\(way.by)", "objects": ProfileValue(objects),
                "parameter": way.parameter == way.by ? nil : "\(way.parameter)",
                "sizeParameter": size.flatMap {
                    $0.parameter == "limit" ? nil : "\($0.parameter)"
                },
                "sizeMax": size?.most.flatMap { $0 == rows ? nil : ProfileValue($0) },
                "firstPage": way.firstPage.map { ProfileValue($0) },
            ]
        }
    }
}

/// A list in a document's response: its objects, and the members around them.
struct OpenAPIList {
    /// The schema of an object.
    let items: (node: JSONNode, pointer: String)
    /// The body with `{{rows}}` where the objects stand.
    let body: ProfileValue
    /// The least and the greatest number of objects that the schema allows.
    let (least, most): (Double?, Double?)
    /// The names that lead to the objects, from outside in.
    private let place: [String]

    /// The objects of an example of the response.
    func objects(in example: JSONNode) -> [JSONNode] {
        place.reduce(Optional(example)) { $0?[$1] }?.elements ?? []
    }

    private typealias Role = (words: Set<String>, variable: String, isText: Bool)

    private static let roles: [Role] = [
        (
            [
                "total", "totalcount", "totalelements", "totalitems", "totalrecords", "numfound",
                "totalresults", "totalrows", "totalsize", "itemcount", "recordstotal",
            ], "total", false
        ),
        (
            ["pages", "totalpages", "pagecount", "lastpage", "pagestotal", "numpages"], "pages",
            false
        ),
        (["page", "currentpage", "pagenumber", "pageno", "pageindex", "number"], "page", false),
        (
            ["size", "perpage", "pagesize", "limit", "itemsperpage", "pagelimit"], "size", false
        ),
        (["offset", "skip", "start", "startindex", "from"], "offset", false),
        (["numberofelements"], "count", false),
    ]
    private static let nextWords: Set<String> = [
        "next", "nextcursor", "nextpagetoken", "cursor", "after", "nextpage", "endcursor",
        "continuationtoken", "marker", "nexttoken", "nextmarker", "nextlink", "nexturl",
        "nextpageurl", "nextpagelink", "nextpageuri", "lastkey",
    ]
    private static let previousWords: Set<String> = [
        "previous", "prev", "previouspage", "prevpage", "previouscursor", "prevcursor",
        "previouslink", "previousurl", "prevpageurl", "before",
    ]
    private static let moreWords: Set<String> = [
        "hasmore", "hasnext", "hasnextpage", "more", "hasmoreitems", "ismore", "istruncated",
    ]
    /// The names of lists in responses, the most usual first.
    private static let listNames = [
        "items", "data", "results", "content", "records", "rows", "list", "entries", "objects",
        "values", "docs", "edges", "value", "elements", "hits",
    ]

    /// The list in a response; `nil` where it is one object.
    init?(
        _ node: JSONNode, _ pointer: String, _ samples: OpenAPISamples, isPaged: Bool,
        at path: String
    ) throws {
        let schema = try samples.file.schema(node, pointer)
        if schema.type == "array", let items = schema.items {
            self.init(
                items: (items, pointer + "/items"), body: "{{rows}}", at: [],
                schema.number("minItems"), schema.number("maxItems"))
            return
        }
        let last = path.split(separator: "/").last.map { TokenNames.word($0) } ?? ""
        guard
            let place = try Self.place(
                in: schema, samples.file, isPaged, last, isAlone: true, depth: 0)
        else { return nil }
        var found: (JSONNode, String, OpenAPISchema)?
        let body = try Self.body(schema, place[...], samples, isPaged) { found = ($0, $1, $2) }
        guard let body, let (items, pointer, list) = found else { return nil }
        self.init(
            items: (items, pointer), body: body, at: place, list.number("minItems"),
            list.number("maxItems"))
    }

    private init(
        items: (JSONNode, String), body: ProfileValue, at place: [String], _ least: Double?,
        _ most: Double?
    ) {
        (self.items, self.body, self.least, self.most) = (items, body, least, most)
        self.place = place
    }

    /// The names that lead to the list of a response, from outside in: to one that has the name of
    /// the path's end, or to the one list where the response `isAlone` with it.
    private static func place(
        in schema: OpenAPISchema, _ file: OpenAPIFile, _ isPaged: Bool, _ name: String,
        isAlone: Bool, depth: Int
    ) throws -> [String]? {
        var (lists, objects): ([String], [(String, OpenAPISchema)]) = ([], [])
        var isWrapper = true
        for member in schema.properties {
            let place = "\(schema.pointer)/properties\(member.name.pointerPart)"
            let own = try file.single(member.value, place)
            if own.type == "array", own.items != nil {
                lists.append(member.name)
            } else if own.type == "object", !isOfPage(member.name), !own.properties.isEmpty {
                objects.append((member.name, own))
            } else if !isOfPage(member.name) {
                isWrapper = false
            }
        }
        if let named = lists.first(where: { TokenNames.word($0) == name }) { return [named] }
        let known =
            isAlone ? listNames.first { name in lists.contains { $0.lowercased() == name } } : nil
        if isAlone, lists.count == 1, isWrapper && objects.isEmpty || isPaged { return lists }
        if let known, isPaged || isWrapper {
            return lists.first { $0.lowercased() == known }.map { [$0] }
        }
        guard depth < 2 else { return nil }
        let isOne = isAlone && lists.isEmpty && objects.count == 1 && isWrapper
        for (own, schema) in objects {
            let inner = try place(
                in: schema, file, isPaged, name, isAlone: isOne, depth: depth + 1)
            if let inner { return [own] + inner }
        }
        return nil
    }

    /// True for a member of a response that describes the page, such as a page number.
    private static func isOfPage(_ name: String) -> Bool {
        let words = [
            "count", "total", "page", "limit", "offset", "next", "prev", "cursor", "more", "size",
            "links", "meta", "after", "before", "skip", "take", "first", "last", "token", "etag",
            "kind", "success", "message", "code", "status", "object", "url", "number", "empty",
            "sort", "error", "timestamp", "request", "context",
        ]
        let name = name.lowercased()
        return words.contains { name.contains($0) }
    }

    private static func body(
        _ schema: OpenAPISchema, _ place: ArraySlice<String>, _ samples: OpenAPISamples,
        _ isPaged: Bool, _ found: (JSONNode, String, OpenAPISchema) -> Void
    ) throws -> ProfileValue? {
        var members: [ProfileValue.Member] = []
        let words = Set(schema.properties.map { TokenNames.word($0.name) })
        for member in schema.properties where member.value["writeOnly"]?.value != .bool(true) {
            let pointer = "\(schema.pointer)/properties\(member.name.pointerPart)"
            let own = try samples.file.single(member.value, pointer)
            var value: ProfileValue?
            if member.name == place.first {
                if place.count > 1 {
                    value = try body(own, place.dropFirst(), samples, isPaged, found)
                } else if let items = own.items {
                    found(items, pointer + "/items", own)
                    value = "{{rows}}"
                }
            } else {
                let isNullable = try samples.file.schema(member.value, pointer).allowsNull
                value = variable(TokenNames.word(member.name), own, words, isNullable, isPaged)
                if value == nil { value = try pageObject(own, samples, isPaged) }
                if value == nil {
                    value = try samples.sample(
                        member.value, pointer, name: member.name, for: .response)?.value
                }
            }
            if let value {
                members.append((member.name, value))
            } else if schema.required.contains(member.name) {
                return nil
            }
        }
        // A name that must be there, of which nothing else is said.
        let known = Set(schema.properties.map(\.name))
        members += schema.required.subtracting(known).sorted().map { ($0, "\($0)") }
        return ProfileValue(members)
    }

    /// An object about the page, such as `meta` or `links`; `nil` for any other.
    private static func pageObject(
        _ schema: OpenAPISchema, _ samples: OpenAPISamples, _ isPaged: Bool
    ) throws -> ProfileValue? {
        let words = schema.properties.map { TokenNames.word($0.name) }
        let isOfPage = words.contains { name in
            roles.contains { $0.words.contains(name) } || nextWords.contains(name)
                || moreWords.contains(name)
        }
        guard schema.type == "object", isOfPage, isPaged else { return nil }
        return try body(schema, [], samples, isPaged) { _, _, _ in }
    }

    /// The variable that a member of a page stands for, where its type allows it.
    private static func variable(
        _ name: String, _ schema: OpenAPISchema, _ others: Set<String>, _ isNullable: Bool,
        _ isPaged: Bool
    ) -> ProfileValue? {
        let type = schema.type
        if type == "integer" || type == "number" {
            if let role = roles.first(where: { $0.words.contains(name) }) {
                return "{{\(role.variable)}}"
            }
            if name == "count" {
                let hasTotal = roles[0].words.contains { others.contains($0) }
                return hasTotal ? "{{count}}" : "{{total}}"
            }
            return nextWords.contains(name) && isNullable && isPaged ? "{{nextNumber}}" : nil
        }
        if type == "boolean" { return moreWords.contains(name) ? "{{more}}" : nil }
        guard isPaged, type == "string" || type == nil else { return nil }
        let isAddress =
            ["uri", "url", "uri-reference"].contains(schema.text("format") ?? "")
            || ["url", "link", "uri"].contains { name.hasSuffix($0) }
            || schema.text("example")?.contains("://") ?? false
        if nextWords.contains(name) {
            if isAddress, isNullable { return "{{nextURL}}" }
            return isNullable || type == nil ? "{{next}}" : "{{nextText}}"
        }
        guard previousWords.contains(name), isNullable else { return nil }
        return isAddress ? "{{previousURL}}" : ProfileValue(json: "null")
    }
}

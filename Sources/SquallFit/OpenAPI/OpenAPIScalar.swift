import SquallFormat
import SquallHTTP

/// A number, text or truth value that a schema allows.
struct OpenAPIScalar {
    let file: OpenAPIFile
    let schema: OpenAPISchema
    let name: String
    let use: OpenAPISamples.Use

    /// True for a member that names an object: `id`, `userId`, `plant_id`.
    static func isKey(_ name: String) -> Bool {
        let word = name.lowercased()
        return ["id", "_id", "pk", "uuid", "guid"].contains(word) || word.hasSuffix("_id")
            || name.hasSuffix("Id") || name.hasSuffix("ID")
    }

    var value: ProfileValue {
        switch schema.type {
        case "integer": return integer
        case "number": return number
        case "boolean": return true
        default: return text
        }
    }

    /// A refusal's status, and the word that OAuth has for it, where the schema allows that.
    var ofRefusal: ProfileValue? {
        get throws {
            guard case .literal(_, let status, let error) = use else { return nil }
            if schema.type == "integer",
                ["status", "statuscode", "httpstatus", "code"].contains(TokenNames.word(name))
            {
                return ProfileValue(status)
            }
            guard name == "error", let error, let place = schema.parts.first?.place,
                try file.fits(JSONNode(value: .string(error), place: place), schema)
            else { return nil }
            return "\(error)"
        }
    }

    private var integer: ProfileValue {
        let (low, high) = limits
        if use.isResponse, Self.isKey(name), (low ?? 1) <= 1, (high ?? 1e9) >= 10_000 {
            return "{{number}}"
        }
        let step = schema.number("multipleOf") ?? 1
        let start = low ?? min(1, high ?? 1)
        guard abs(start) < 1e15, step >= 1, step < 1e15 else { return 1 }
        return ProfileValue(Int64((start / step).rounded(.up) * step))
    }

    private var number: ProfileValue {
        let (low, high) = limits
        let usual = 9.5
        var value = usual
        if let low, value < low { value = high.map { (low + $0) / 2 } ?? low + 0.5 }
        if let high, value > high { value = low.map { ($0 + high) / 2 } ?? high - 0.5 }
        if let step = schema.number("multipleOf"), step > 0 {
            value = (value / step).rounded() * step
        }
        return ProfileValue(json: JSON.number(value.isFinite ? value : usual).line)
    }

    /// The least and the greatest whole number; 3.0's `exclusiveMinimum` is a flag.
    private var limits: (low: Double?, high: Double?) {
        func isExclusive(_ key: String) -> Bool { schema[key]?.value == .bool(true) }
        var low = schema.number("minimum").map { isExclusive("exclusiveMinimum") ? $0 + 1 : $0 }
        if let edge = schema.number("exclusiveMinimum") { low = max(low ?? edge + 1, edge + 1) }
        var high = schema.number("maximum").map { isExclusive("exclusiveMaximum") ? $0 - 1 : $0 }
        if let edge = schema.number("exclusiveMaximum") { high = min(high ?? edge - 1, edge - 1) }
        return (low, high)
    }

    static let uuid = "00000000-0000-4000-8000-000000000001"
    static let email = "user1@example.com"

    /// Texts of formats, by the names that JSON Schema, OpenAPI and frameworks give them.
    private static let formats: [String: String] = [
        "date-time": "2026-01-15T09:30:00Z", "datetime": "2026-01-15T09:30:00Z",
        "date": "2026-01-15", "time": "09:30:00Z", "duration": "PT1H30M",
        "uri": "https://example.com/", "url": "https://example.com/",
        "uri-reference": "/example", "iri": "https://example.com/", "hostname": "example.com",
        "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "ip": "192.0.2.1", "byte": "c3F1YWxs",
        "base64": "c3F1YWxs", "binary": "squall", "decimal": "12.50", "phone": "+12025550123",
        "regex": ".*", "json-pointer": "/a", "idn-email": "user@example.com", "slug": "a-name",
        "int64": "17", "bigint": "17", "timezone": "UTC", "color": "#336699", "uint64": "17",
    ]

    private var text: ProfileValue {
        let format = schema.text("format")?.lowercased() ?? ""
        if format.hasPrefix("uuid") || format == "guid", file.isText(Self.uuid, as: schema) {
            return use.isResponse ? "{{uuid}}" : "\(Self.uuid)"
        }
        if format == "email", file.isText(Self.email, as: schema) {
            return use.isResponse ? "{{email}}" : "\(Self.email)"
        }
        let usual = Self.formats[format].flatMap { file.isText($0, as: schema) ? $0 : nil }
        // A pattern that is not safe to try says more than a format.
        if let pattern = schema.text("pattern"),
            usual.map({ !OpenAPIFile.isSafe(pattern, $0) }) ?? true,
            let text = matching(pattern)
        {
            return "\(text)"
        }
        if let usual { return "\(usual)" }
        if case .literal(let words, _, _) = use { return "\(fitted(words))" }
        if use.isResponse, Self.isKey(name), schema["minLength"] == nil, most > 40 {
            return "{{key}}"
        }
        let words = name.isEmpty ? "text" : String(name.prefix(60))
        // A path may name an object by a number of nineteen digits.
        guard use.isResponse, least <= words.count + 2, most >= words.count + 20 else {
            return "\(fitted(words))"
        }
        return "\(words) {{number}}"
    }

    /// A text made of an expression, or one of usual ones that it matches.
    private func matching(_ pattern: String) -> String? {
        let made = PatternText(pattern)
        for more in 0...1 {
            if let text = made?.text(least + more, most) { return text }
        }
        guard made != nil, let expression = try? Regex(pattern) else { return nil }
        let usual = [Self.email, "https://example.com", "+12025550123", "1", "a", "US"]
        return usual.first {
            (least...max(least, most)).contains($0.count)
                && (try? expression.firstMatch(in: $0)) != nil
        }
    }

    private var least: Int { Int(min(max(0, schema.number("minLength") ?? 0), 10_000)) }
    private var most: Int { Int(min(max(0, schema.number("maxLength") ?? 10_000), 10_000)) }

    private func fitted(_ words: String) -> String {
        let short = String(words.prefix(most))
        return short + String(repeating: "x", count: max(0, least - short.count))
    }
}

/// A text that a regular expression of an ordinary kind matches: classes, counts, alternatives.
struct PatternText {
    private var rest: Substring
    private var depth = 0
    private static let lengthMax = 500

    /// Reads the expression when the text is made; `nil` for one that is too long.
    init?(_ pattern: String) {
        guard pattern.utf8.count < 2_000 else { return nil }
        rest = pattern[...]
    }

    /// The shortest text that is made; `nil` where a part of the expression is not understood.
    func text(_ least: Int, _ most: Int) -> String? {
        var parser = self
        guard let text = parser.alternatives(least), parser.rest.isEmpty,
            (least...max(least, most)).contains(text.count),
            let expression = try? Regex(String(rest)), (try? expression.firstMatch(in: text)) != nil
        else { return nil }
        return text
    }

    private mutating func alternatives(_ least: Int) -> String? {
        depth += 1
        defer { depth -= 1 }
        guard depth < 20 else { return nil }
        let first = sequence(least)
        while rest.first == "|" {
            rest.removeFirst()
            guard sequence(0) != nil else { return nil }
        }
        return first
    }

    private mutating func sequence(_ least: Int) -> String? {
        var text = ""
        while let character = rest.first, character != "|", character != ")" {
            if character == "^" || character == "$" {
                rest.removeFirst()
                continue
            }
            guard let atom = atom(), let count = count(text.count, least),
                text.count + atom.count * count <= Self.lengthMax
            else { return nil }
            text += String(repeating: atom, count: count)
        }
        return text
    }

    /// The repetitions of the last atom; an open count fills up to the least length.
    private mutating func count(_ length: Int, _ least: Int) -> Int? {
        defer { if rest.first == "?" || rest.first == "+" { rest.removeFirst() } }
        let missing = max(0, least - length)
        switch rest.first {
        case "*":
            rest.removeFirst()
            return missing
        case "+":
            rest.removeFirst()
            return max(1, missing)
        case "?":
            rest.removeFirst()
            return 0
        case "{":
            guard let end = rest.firstIndex(of: "}") else { return nil }
            let bounds = rest[rest.index(after: rest.startIndex)..<end]
                .split(separator: ",", omittingEmptySubsequences: false)
            rest = rest[rest.index(after: end)...]
            guard let low = bounds.first.flatMap({ Int($0) }) else { return nil }
            guard bounds.count > 1 else { return low }
            return max(low, min(missing, Int(bounds[1]) ?? missing))
        default: return 1
        }
    }

    private mutating func atom() -> String? {
        let character = rest.removeFirst()
        switch character {
        case ".": return "a"
        case "\\": return escaped()
        case "[": return set()
        case "(":
            if rest.hasPrefix("?:") {
                rest.removeFirst(2)
            } else if rest.hasPrefix("?<") || rest.hasPrefix("?P<") {
                guard let end = rest.firstIndex(of: ">"), !rest.hasPrefix("?<="),
                    !rest.hasPrefix("?<!")
                else { return nil }
                rest = rest[rest.index(after: end)...]
            } else if rest.first == "?" {
                return lookaround()
            }
            return group()
        case "*", "+", "?", "{": return nil
        default: return String(character)
        }
    }

    private mutating func group() -> String? {
        let text = alternatives(0)
        guard rest.first == ")" else { return nil }
        rest.removeFirst()
        return text
    }

    /// What a look ahead asks for, which is put there; nothing where it forbids or looks behind.
    private mutating func lookaround() -> String? {
        guard let sign = ["?=", "?!", "?<=", "?<!"].first(where: { rest.hasPrefix($0) }) else {
            return nil
        }
        rest.removeFirst(sign.count)
        return group().map { sign == "?=" ? $0 : "" }
    }

    private mutating func escaped() -> String? {
        guard let letter = rest.first else { return nil }
        rest.removeFirst()
        switch letter {
        case "d": return "1"
        case "w", "S", "D": return "a"
        case "s": return " "
        case "b", "A", "Z", "z": return ""
        case "W": return "-"
        case _ where letter.isLetter || letter.isNumber: return nil
        default: return String(letter)
        }
    }

    /// A character of a class.
    private mutating func set() -> String? {
        let isNot = rest.first == "^"
        if isNot { rest.removeFirst() }
        var chosen: String?
        var members: [Character] = []
        var isFirst = true
        while let character = rest.first, isFirst || character != "]" {
            isFirst = false
            rest.removeFirst()
            if character == "\\" {
                guard let text = escaped() else { return nil }
                members += text
            } else {
                members.append(character)
            }
            chosen = chosen ?? members.first.map { String($0) }
        }
        guard rest.first == "]" else { return nil }
        rest.removeFirst()
        guard isNot else { return chosen }
        return "a1-_ Zz".first { !members.contains($0) }.map { String($0) }
    }
}

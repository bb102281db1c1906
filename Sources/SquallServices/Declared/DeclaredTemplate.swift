import SquallFormat

/// JSON as a profile writes it, with variables such as `{{number}}` that each response fills in.
///
/// A text that is one variable becomes its value (`"{{number}}"` is `17`); in a longer text it
/// becomes a part (`"plant {{number}}"`). The name of one of the service's objects stands for that
/// object.
struct DeclaredTemplate: Sendable {
    enum Variable: String, CaseIterable, Sendable {
        /// The object's number; of a single object the last variable of the path, or the user.
        case number
        /// The object's number as a text; of a single object as the path has it.
        case key
        case uuid, email
        /// The objects of a page.
        case rows
        /// Objects in all; on this page; on a page; before it.
        case total, count, size, offset
        case page, pages
        /// Where the next page begins, null behind the last: as a text, a number, an address; as a
        /// text that is empty behind the last.
        case next, nextNumber, nextURL, previousURL, nextText
        case more
        /// The value of a `Link` header.
        case link
    }

    /// The values of a response's variables.
    struct Facts {
        var number = 1
        var key: String
        var page: [Variable: JSON] = [:]
    }

    enum Problem: Error {
        case unknown(String)
        case circle(String)
        case tooLarge
    }

    private enum Part {
        case bytes([UInt8])
        /// A variable inside of a text.
        case text(Variable)
        case value(Variable)
    }

    private var parts: [Part] = []
    private var count = 0
    /// True to write texts as they are, not as JSON writes them.
    private var isRaw = false
    private(set) var variables: Set<Variable> = []

    /// The largest text without its variables, in bytes.
    static let bytesMax = 1_000_000

    /// A template; where `isText`, a text is written without quotes.
    init(
        _ json: JSON, objects: [String: JSON] = [:], isText: Bool = false
    ) throws(Problem) {
        if isText, case .string(let text) = json {
            isRaw = true
            try add(text: text)
        } else {
            try add(json, objects, within: [])
        }
    }

    private mutating func add(_ bytes: some Collection<UInt8>) throws(Problem) {
        count += bytes.count
        guard count <= Self.bytesMax else { throw .tooLarge }
        guard case .bytes(var all)? = parts.last else { return parts.append(.bytes(Array(bytes))) }
        // Taken out, so that what is there is not copied each time.
        parts.removeLast()
        all += bytes
        parts.append(.bytes(all))
    }

    private mutating func add(
        _ json: JSON, _ objects: [String: JSON], within names: [String]
    ) throws(Problem) {
        switch json {
        case .object(let members):
            var mark = "{"
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                try add("\(mark)\(JSON.string(name).line):".utf8)
                try add(value, objects, within: names)
                mark = ","
            }
            try add(mark == "{" ? "{}".utf8 : "}".utf8)
        case .array(let elements):
            try add("[".utf8)
            for (index, element) in elements.enumerated() {
                if index > 0 { try add(",".utf8) }
                try add(element, objects, within: names)
            }
            try add("]".utf8)
        case .string(let text):
            guard let name = Self.variable(in: text) else { return try add(text: text) }
            guard let object = objects[name] else { return try add(name) }
            guard !names.contains(name), names.count < 50 else { throw .circle(name) }
            try add(object, objects, within: names + [name])
        default: try add(json.line.utf8)
        }
    }

    private mutating func add(_ name: String) throws(Problem) {
        guard let variable = Variable(rawValue: name) else { throw .unknown(name) }
        parts.append(.value(variable))
        variables.insert(variable)
    }

    private mutating func add(text: String) throws(Problem) {
        let isRaw = isRaw
        func written(_ text: Substring) -> [UInt8] {
            isRaw ? Array(text.utf8) : JSON.string(String(text)).line.utf8.dropFirst().dropLast()
        }
        if !isRaw { try add("\"".utf8) }
        var rest = text[...]
        while rest.utf8.contains(UInt8(ascii: "{")), let open = rest.firstRange(of: "{{"),
            let close = rest[open.upperBound...].firstRange(of: "}}")
        {
            let name = String(rest[open.upperBound..<close.lowerBound])
            guard let variable = Variable(rawValue: name), variable != .rows else {
                throw .unknown(name)
            }
            try add(written(rest[..<open.lowerBound]))
            parts.append(.text(variable))
            variables.insert(variable)
            rest = rest[close.upperBound...]
        }
        try add(written(rest))
        if !isRaw { try add("\"".utf8) }
    }

    /// The name in a text that is one variable.
    static func variable(in text: String) -> String? {
        guard text.hasPrefix("{{"), text.hasSuffix("}}"), text.count > 4 else { return nil }
        let name = text.dropFirst(2).dropLast(2)
        return name.contains("{{") || name.contains("}}") ? nil : String(name)
    }

    /// True if every variable has a value; a header that lacks one is left out.
    func isComplete(_ facts: Facts) -> Bool {
        variables.allSatisfy { facts.value(of: $0) != .null }
    }

    /// The text up to the rows, and behind them.
    func around(_ facts: Facts) -> (before: [UInt8], after: [UInt8]) {
        let place = parts.firstIndex { if case .value(.rows) = $0 { true } else { false } }
        guard let place else { return (bytes(parts[...], facts), []) }
        return (bytes(parts[..<place], facts), bytes(parts[(place + 1)...], facts))
    }

    func bytes(_ facts: Facts) -> [UInt8] { bytes(parts[...], facts) }

    private func bytes(_ parts: ArraySlice<Part>, _ facts: Facts) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            switch part {
            case .bytes(let own): bytes += own
            case .value(let variable): bytes += facts.value(of: variable).line.utf8
            case .text(let variable):
                switch facts.value(of: variable) {
                case .string(let text) where isRaw:
                    // What a path brings must not end the line of a header.
                    bytes += text.utf8.filter { $0 >= 0x20 && $0 != 0x7f }
                case .string(let text): bytes += JSON.string(text).line.utf8.dropFirst().dropLast()
                case let value: bytes += value.line.utf8
                }
            }
        }
        return bytes
    }
}

extension DeclaredTemplate.Facts {
    /// An object by its number.
    init(number: Int) { (self.number, key) = (number, "\(number)") }

    /// The object that a variable of a path names: by a number, which a text of a list (`title 17`)
    /// and one of our UUIDs have at their end, or by any other text.
    init(named text: String) {
        // What is percent-encoded before the number has digits, too.
        let rest = text.split(separator: "%", omittingEmptySubsequences: false)
        let last = rest.count > 1 ? (rest.last ?? "").dropFirst(2) : text[...]
        let count = last.reversed().prefix { $0.isASCII && $0.isNumber }.count
        let number = Int(text) ?? Int(last.suffix(min(count, 9)))
        (self.number, key) = (
            number ?? Int(StableHash(of: text.utf8).value % 1_000_000) + 1, text
        )
    }

    fileprivate func value(of variable: DeclaredTemplate.Variable) -> JSON {
        switch variable {
        case .number: .integer(Int64(number))
        case .key: .string(key)
        case .uuid: .string(isUUID ? key : Self.uuid(number))
        // The account of the first user is user0, and numbers begin with 1.
        case .email: .string("user\(max(1, number) - 1)@example.com")
        case .rows: .array([])
        case .nextText: page[.next] == .null ? "" : page[.next] ?? ""
        default: page[variable] ?? .null
        }
    }

    private var isUUID: Bool {
        key.utf8.count == 36
            && key.utf8.allSatisfy { $0 == 45 || Character(Unicode.Scalar($0)).isHexDigit }
    }

    static func uuid(_ number: Int) -> String {
        let digits = "\(max(0, number))".suffix(12)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }
}

import SquallFormat

extension Profile {
    /// A setting that was computed from a log, and its possible error.
    public struct Fitted: Hashable, Sendable {
        /// Its key path as people write it.
        public let path: String
        /// Factors: the true value is between these times the setting in 95 of 100 cases.
        public let low, high: Double
    }
}

extension Profile.Fitted {
    /// Key paths of settings, each with two factors, in the file's order.
    static let format = SettingFormat<[Profile.Fitted]>(
        describe: {
            SettingShape(
                "object of key paths, each with [\(factors.shape.words)]",
                ["type": "object", "additionalProperties": .object(factors.shape.schema)])
        }, placeholder: { [] }
    ) { node, path, problems in
        guard let members = node.members(at: path, &problems) else { return nil }
        return members.map { member in
            let (low, high) = factors.value(
                of: member.value, at: path.appending(member.name), &problems)
            return Profile.Fitted(path: member.name, low: low, high: high)
        }
    }

    private static let factors = SettingFormat.pair(
        SettingFormat.number(0.001...1), SettingFormat.number(1...1_000))

    /// Reports a path without a number, duration or law in a document.
    func check(in document: JSONNode, _ problems: inout SettingProblems) {
        guard SettingPath(path)?.node(in: document)?.times(1, isWhole: false) == nil else { return }
        let place = SettingPath.root.appending("fitted").appending(path)
        problems.report(
            .unknownName, at: place,
            "\(place) must be the key path of a number, a duration or a law that this profile"
                + " says, as backend.server.serviceTime")
    }
}

extension JSONNode {
    /// A number or a duration times a factor, or a law with all of its durations so; nil where
    /// nothing is multiplied.
    func times(_ factor: Double, isWhole: Bool) -> JSONNode? {
        if case .number(let text) = value {
            let product = Double(text).map { $0 * factor }
            return product.map { JSONNode(isWhole ? .integer(Int64($0.rounded())) : .number($0)) }
        }
        return durationsTimes(factor)
    }

    private func durationsTimes(_ factor: Double) -> JSONNode? {
        switch value {
        case .string(let text):
            guard let span = try? Units.nanoseconds(text) else { return nil }
            let product = min(Double(span) * factor, Double(Span.year))
            return JSONNode(.string(Units.exact(nanoseconds: Int64(product.rounded()))))
        case .array(let elements):
            let changed = elements.map { $0.durationsTimes(factor) }
            guard changed.contains(where: { $0 != nil }) else { return nil }
            return JSONNode(
                value: .array(zip(changed, elements).map { $0 ?? $1 }), place: place)
        case .object(let members):
            let changed = members.map { $0.value.durationsTimes(factor) }
            guard changed.contains(where: { $0 != nil }) else { return nil }
            return JSONNode(
                value: .object(
                    zip(changed, members).map {
                        Member(name: $1.name, place: $1.place, value: $0 ?? $1.value)
                    }), place: place)
        default: return nil
        }
    }
}

extension JSONNode {
    /// A number no further than its schema lets it be; anything else as it is.
    func within(_ schema: [String: JSON]) -> JSONNode {
        guard case .number(let text) = value, let number = Double(text) else { return self }
        let (low, high) = (schema["minimum"]?.double, schema["maximum"]?.double)
        if let low, number < low { return schema["minimum"].map { JSONNode($0) } ?? self }
        if let high, number > high { return schema["maximum"].map { JSONNode($0) } ?? self }
        return self
    }
}

extension JSON {
    fileprivate var withoutLimits: JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != "max" }.mapValues(\.withoutLimits))
    }

    fileprivate var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}

extension Profile {
    /// A setting that a draft or a fit wrote without a measurement behind it.
    ///
    /// The profile file keeps the assumed value beside the path, so a setting that a user changes
    /// where it stands is assumed no more, without a word in the profile.
    public struct Assumed: Hashable, Sendable {
        /// Its key path as people write it.
        public let path: String
        private let value: JSON

        /// The value in a few words: of a law not the limit, which says the least.
        var text: String {
            switch value {
            case .string(let text): text
            case .array: "as drafted"
            default:
                value.withoutLimits.line.replacing("\"", with: "").replacing(/[{}]/, with: "")
                    .replacing(":", with: " ").replacing(",", with: ", ").excerpt(32)
            }
        }
    }

    /// A document whose list of assumed settings is this profile's.
    func assumedWritten(in document: JSONNode) -> JSONNode {
        guard let node = document["assumed"], case .object(let members) = node.value else {
            return document
        }
        let kept = members.filter { member in assumed.contains { $0.path == member.name } }
        let list = JSONNode(value: .object(kept), place: node.place)
        return document.replacing(SettingPath.root.appending("assumed"), with: list) ?? document
    }
}

extension Profile.Assumed {
    /// Key paths of settings, each with the value that was assumed, in the file's order.
    static let format = SettingFormat<[Profile.Assumed]>(
        describe: {
            SettingShape("object of key paths, each with the value assumed", ["type": "object"])
        }, placeholder: { [] }
    ) { node, path, problems in
        guard let members = node.members(at: path, &problems) else { return nil }
        return members.map { Profile.Assumed(path: $0.name, value: JSON($0.value)) }
    }

    /// Reports a name that is no key path.
    func check(_ problems: inout SettingProblems) {
        guard SettingPath(path) == nil else { return }
        let place = SettingPath.root.appending("assumed").appending(path)
        problems.report(
            .unknownName, at: place,
            "\(place) must be a key path, as backend.server.serviceTime")
    }

    /// True if a document still has the assumed value, and no override gave one.
    func stands(in document: JSONNode, _ overrides: [ProfileOverride]) -> Bool {
        guard let path = SettingPath(path), let node = path.node(in: document) else { return false }
        return JSON(node) == value && !overrides.contains { $0.sets(path) }
    }

    /// True if it says how many users there are or how often they come.
    public var isOfLoad: Bool {
        path.hasPrefix("populations[") && (path.hasSuffix(".users") || path.contains("].load"))
    }
}

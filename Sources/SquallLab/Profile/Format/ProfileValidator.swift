import SquallFormat
import SquallReport

/// Holds a document against the table of settings, collecting every problem and filling in
/// defaults.
struct ProfileValidator {
    let vocabulary: ProfileVocabulary
    private(set) var problems: [Problem] = []

    /// A problem and what it is about; file and line are added at the end.
    struct Problem {
        let path: FieldPath
        let message: String
        let label: ProfileProblem.Label
        /// The place, where it is not that of the value at the path.
        var place: TextPlace?
    }

    init(vocabulary: ProfileVocabulary) {
        self.vocabulary = vocabulary
    }

    mutating func report(
        _ label: ProfileProblem.Label, at path: FieldPath, _ message: String,
        place: TextPlace? = nil
    ) {
        problems.append(Problem(path: path, message: message, label: label, place: place))
    }

    /// The settings of a section that are valid; the rest has been reported.
    mutating func section(
        _ node: JSONNode, _ fields: [Field], at path: FieldPath
    ) -> FieldValues? {
        guard let members = members(of: node, at: path, knowing: fields.map(\.key)) else {
            return nil
        }
        let inner = Scope(app: app(of: node, fields))
        var values = FieldValues()
        for field in fields {
            let given = members.first { $0.name == field.key }?.value
            values[field.key] = value(of: field, given, at: path.appending(field.key), inner)
        }
        return values
    }

    /// What a value's neighbours say about it.
    struct Scope {
        /// The app whose designs and journeys are meant; nil when it is unknown.
        var app: ProfileVocabulary.App?
    }

    private mutating func value(
        of field: Field, _ given: JSONNode?, at path: FieldPath, _ scope: Scope
    ) -> FieldValue? {
        if let given { return value(given, field.type, at: path, scope) }
        switch field.presence {
        case .optional:
            return nil
        case .otherwise(let json):
            return value(JSONNode(json), field.type, at: path, scope)
        case .required:
            report(.missingKey, at: path, "\(path) is missing: \(field.summary.sentencePart)")
            return nil
        }
    }

    mutating func value(
        _ node: JSONNode, _ type: FieldType, at path: FieldPath, _ scope: Scope
    ) -> FieldValue? {
        switch type {
        case .text, .choice, .app, .design, .endpoint: word(node, type, at: path, scope)
        case .flag, .integer, .number, .seed, .duration: scalar(node, type, at: path)
        case .journeyWeights: weights(node, of: scope.app, at: path)
        case .thresholds: thresholds(node, at: path)
        case .distribution(let range): distribution(node, range, at: path, scope)
        case .section(let fields): section(node, fields, at: path).map(FieldValue.section)
        case .oneOf(let fields): oneOf(node, fields, at: path, scope)
        case .byEndpoint(let type): byEndpoint(node, type, at: path, scope)
        case .list(let type, let count): list(node, type, count, at: path, scope)
        case .tuple(let types): tuple(node, types, at: path, scope)
        }
    }

    /// The members of an object whose names are known; strays and other values are reported.
    mutating func members(
        of node: JSONNode, at path: FieldPath, knowing names: [String]
    ) -> [JSONNode.Member]? {
        guard case .object(let members) = node.value else {
            report(.wrongType, at: path, "\(path) must be an object, got \(node.summary)")
            return nil
        }
        for member in members where !names.contains(member.name) {
            let hint = Spelling.hint(for: member.name, among: names)
            let known = hint.isEmpty ? " Known: \(names.joined(separator: ", "))" : hint
            report(
                .unknownKey, at: path.appending(member.name),
                "\(path.appending(member.name)) is not a setting.\(known)", place: member.place)
        }
        return members
    }

    /// The app of a section that has one, its default included.
    private func app(of node: JSONNode, _ fields: [Field]) -> ProfileVocabulary.App? {
        guard let field = fields.first(where: { $0.key == "app" }) else { return nil }
        if case .string(let name) = node["app"]?.value { return vocabulary.app(named: name) }
        guard case .otherwise(.string(let name)) = field.presence else { return nil }
        return vocabulary.app(named: name)
    }
}

extension ProfileValidator {
    private mutating func distribution(
        _ node: JSONNode, _ range: ClosedRange<Int64>, at path: FieldPath, _ scope: Scope
    ) -> FieldValue? {
        guard case .string = node.value else {
            return oneOf(node, Field.laws(within: range), at: path, scope)
        }
        guard let constant = scalar(node, .duration(range), at: path) else { return nil }
        var values = FieldValues()
        values["constant"] = constant
        return .section(values)
    }

    private mutating func oneOf(
        _ node: JSONNode, _ fields: [Field], at path: FieldPath, _ scope: Scope
    ) -> FieldValue? {
        let names = fields.map(\.key)
        let problemsBefore = problems.count
        guard let members = members(of: node, at: path, knowing: names) else { return nil }
        guard members.count == 1, let member = members.first else {
            report(
                .wrongType, at: path,
                "\(path) must have exactly one of \(names.joined(separator: ", "));"
                    + " got \(members.count) members")
            return nil
        }
        guard problems.count == problemsBefore,
            let field = fields.first(where: { $0.key == member.name }),
            let value = value(member.value, field.type, at: path.appending(field.key), scope)
        else { return nil }
        var values = FieldValues()
        values[field.key] = value
        return .section(values)
    }

    private mutating func byEndpoint(
        _ node: JSONNode, _ type: FieldType, at path: FieldPath, _ scope: Scope
    ) -> FieldValue? {
        guard let members = members(of: node, at: path, knowing: vocabulary.endpoints) else {
            return nil
        }
        var values = FieldValues()
        for member in members where vocabulary.endpoints.contains(member.name) {
            values[member.name] = value(
                member.value, type, at: path.appending(member.name), scope)
        }
        return .section(values)
    }

    private mutating func list(
        _ node: JSONNode, _ type: FieldType, _ count: ClosedRange<Int>, at path: FieldPath,
        _ scope: Scope
    ) -> FieldValue? {
        guard case .array(let elements) = node.value else {
            report(.wrongType, at: path, "\(path) must be a list, got \(node.summary)")
            return nil
        }
        guard count.contains(elements.count) else {
            let range = ValueRange.text(Int64(count.lowerBound)...Int64(count.upperBound))
            report(
                .outOfRange, at: path, "\(path) must have \(range) elements, got \(elements.count)")
            return nil
        }
        return .list(
            elements.enumerated().compactMap { index, element in
                value(element, type, at: path.appending(index), scope)
            })
    }

    private mutating func tuple(
        _ node: JSONNode, _ types: [FieldType], at path: FieldPath, _ scope: Scope
    ) -> FieldValue? {
        guard case .array(let elements) = node.value, elements.count == types.count else {
            report(
                .wrongType, at: path,
                "\(path) must be a list of \(types.count) values, got \(node.summary)")
            return nil
        }
        let values = zip(types, elements).enumerated().compactMap { index, pair in
            value(pair.1, pair.0, at: path.appending(index), scope)
        }
        return values.count == types.count ? .list(values) : nil
    }
}

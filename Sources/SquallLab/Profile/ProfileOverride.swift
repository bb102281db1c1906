import SquallFormat

/// A setting that replaces the profile's: `backend.tokens.accessLifetime=5m`, or an additional
/// expectation.
public struct ProfileOverride: Hashable, Sendable {
    /// The option of the command line as messages name it.
    let text: String
    let path: SettingPath
    private let change: Change

    private enum Change: Hashable {
        case set(String)
        case expect(String)
        case multiply(Double)
        case run(nanoseconds: Int64)
    }

    /// A setting's key path, `=` and its value, as for `--set` or the option that gave them; nil
    /// for other texts.
    ///
    /// `typed` is the text behind the option, where that is shorter.
    public init?(setting text: String, of option: String = "--set", typed: String? = nil) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let path = SettingPath(halves[0]) else { return nil }
        self.text = "\(option) \(typed ?? text)"
        self.path = path
        change = .set(String(halves[1]))
    }

    /// A metric, `:` and an expectation, as for `--threshold` or the option that gave them; nil for
    /// other texts.
    public init?(expectation text: String, of option: String = "--threshold") {
        // A colon between braces belongs to a tag.
        let head = text.prefix { $0 != "{" && $0 != ":" }
        let tags =
            text.dropFirst(head.count).first == "{"
            ? text.dropFirst(head.count).prefix { $0 != "}" } + "}" : ""
        let rest = text.dropFirst(head.count + tags.count)
        guard !head.isEmpty, rest.first == ":" else { return nil }
        self.text = "\(option) '\(text)'"
        path = SettingPath.root.appending("thresholds").appending(String(head + tags))
        change = .expect(String(rest.dropFirst().drop(while: \.isWhitespace)))
    }

    /// A fitted setting times a factor, unless another override sets it.
    ///
    /// The setting is a number, a duration, or a law, of which every duration is multiplied.
    public init?(multiplying fitted: Profile.Fitted, by factor: Double) {
        guard let path = SettingPath(fitted.path) else { return nil }
        text = "--fitted-uncertainty, \(fitted.path) × \(factor)"
        self.path = path
        change = .multiply(factor)
    }

    /// The length of the run, as for `--for`: it is not in the document, since faults and stages of
    /// load may lie beyond it, but every threshold must be judged within it.
    public init(runFor nanoseconds: Int64) {
        text = "--for \(Units.exact(nanoseconds: nanoseconds))"
        path = SettingPath.root.appending("duration")
        change = .run(nanoseconds: nanoseconds)
    }

    /// The length of the run; nil where it is another override.
    public var runNanoseconds: Int64? {
        if case .run(let nanoseconds) = change { nanoseconds } else { nil }
    }

    /// True if another override sets the same setting, so that this one has no effect.
    func isOverridden(by others: [ProfileOverride]) -> Bool {
        guard case .multiply = change else { return false }
        return others.contains { $0.sets(path) }
    }

    /// True if it gives a setting, or a part of one.
    func sets(_ path: SettingPath) -> Bool {
        if case .set = change { self.path.overlaps(path) } else { false }
    }

    /// The expectation, when it is one.
    public var expectation: Profile.Expectation? {
        guard case .expect(let expression) = change, let metric = path.lastKey else { return nil }
        return Profile.Expectation(metric: metric, expression: expression)
    }

    /// The document with the override applied.
    func applied(
        to document: JSONNode, _ table: [SettingRow], _ problems: inout SettingProblems
    ) -> JSONNode {
        if let indexed = path.withIndexes(in: document) {
            problems.report(
                .unknownName, at: path, "elements of a list are in brackets: \(indexed)")
            return document
        }
        if case .set = change, let meant = path.elsewhere(in: table) {
            problems.report(
                .unknownKey, at: path, "\(path) is not a setting. Did you mean '\(meant)'?")
            return document
        }
        let node: JSONNode
        switch change {
        case .set(let value): node = JSONNode(written: value, as: table[path])
        case .expect(let expression):
            var elements = path.node(in: document)?.elements ?? []
            // An expectation that the profile has already is judged once.
            if elements.contains(where: { $0.value == .string(expression) }) { return document }
            elements.append(JSONNode(.string(expression)))
            node = JSONNode(value: .array(elements), place: TextPlace())
        case .run: return document
        case .multiply(let factor):
            let schema = table[path]?.shape.schema ?? [:]
            guard
                let product = path.node(in: document)?.times(
                    factor, isWhole: schema["type"] == "integer")
            else { return document }
            node = product.within(schema)
        }
        if let changed = document.replacing(path, with: node) { return changed }
        problems.report(.unknownName, at: path, "\(path) is beyond the end of a list")
        return document
    }
}

import Synchronization

/// Reads the settings of one section, or describes them: the same code does both.
///
/// ```swift
/// struct Rate {
///     let perSecond: Double
///     let burst: Int64
///
///     init(_ read: inout SettingsReader) {
///         perSecond = read("perSecond", .number(0.001...1_000_000), "Calls a second.")
///         burst = read("burst", .integer(1...100), otherwise: 1, "Calls that are saved up.")
///     }
/// }
/// ```
///
/// A value that cannot be read is reported and replaced by a placeholder, so that all problems are
/// found at once. Rules between settings first ask whether those settings are sound.
public struct SettingsReader {
    /// The path of the section.
    public let path: SettingPath
    /// The problems found so far, in the whole document.
    private(set) var problems: SettingProblems
    /// The rows of the table, if the section is being described.
    private(set) var rows: [SettingRow] = []
    /// Nil without a text: the section is being described, or placeholders are made.
    private let members: [JSONNode.Member]?
    private let isDescribing: Bool
    /// The thing that needs a required setting, if that is not simply the document.
    private let needer: String?
    private var known: [String] = []

    init(
        _ members: [JSONNode.Member], at path: SettingPath, _ problems: SettingProblems,
        neededBy needer: String?
    ) {
        self.path = path
        self.problems = problems
        self.members = members
        self.needer = needer
        isDescribing = false
    }

    init(isDescribing: Bool) {
        path = .root
        problems = SettingProblems()
        members = nil
        needer = nil
        self.isDescribing = isDescribing
    }

    /// The keys in the text, in its order.
    public var keys: [String] { (members ?? []).map(\.name) }

    /// True for a key that this reader has read or described.
    public func knows(_ key: String) -> Bool { known.contains(key) }

    /// Reads a setting that must be there.
    public mutating func callAsFunction<Value>(
        _ key: String, _ format: SettingFormat<Value>, _ summary: String
    ) -> Value {
        let given = value(key, format, .required, summary)
        if let members, !members.contains(where: { $0.name == key }) {
            let path = path.appending(key)
            let reason = needer.map { "\($0) needs it" } ?? summary.sentencePart
            problems.report(.missingKey, at: path, "\(path) is missing: \(reason)")
        }
        return given ?? format.placeholder()
    }

    /// Reads a setting with a default.
    public mutating func callAsFunction<Value>(
        _ key: String, _ format: SettingFormat<Value>, otherwise: JSON, _ summary: String
    ) -> Value {
        if let given = value(key, format, .otherwise(otherwise), summary) { return given }
        let node = JSONNode(otherwise)
        guard let members, !members.contains(where: { $0.name == key }) else {
            var ignored = SettingProblems()
            return format.value(of: node, &ignored)
        }
        return format.value(of: node, at: path.appending(key), &problems)
    }

    /// Reads a setting that may be left out; nil then.
    public mutating func optional<Value>(
        _ key: String, _ format: SettingFormat<Value>, _ summary: String
    ) -> Value? {
        value(key, format, .optional, summary)
    }

    /// Reads a setting of another package; nil if it may be left out and is.
    public mutating func callAsFunction<Value>(_ setting: Setting<Value>) -> Value? {
        guard case .otherwise(let json) = setting.presence else {
            return value(setting.key, setting.format, setting.presence, setting.summary)
        }
        return self(setting.key, setting.format, otherwise: json, setting.summary)
    }

    /// Reads the settings that only some kinds of section have, besides the common ones.
    ///
    /// All kinds' settings are described as optional; only those of `chosen` are read.
    public mutating func part(
        _ chosen: SettingFormat<CheckedSetting>?, among all: [SettingFormat<CheckedSetting>]
    ) -> CheckedSetting {
        for row in all.flatMap(\.shape.inner.settings) where !known.contains(row.key) {
            known.append(row.key)
            if isDescribing { rows.append(row.with(.optional)) }
        }
        guard let members, let chosen else { return CheckedSetting() }
        let keys = chosen.shape.inner.settings.map(\.key)
        let own = members.filter { keys.contains($0.name) }
        return chosen.value(
            of: JSONNode(value: .object(own), place: TextPlace()), at: path, &problems)
    }

    private mutating func value<Value>(
        _ key: String, _ format: SettingFormat<Value>, _ presence: SettingPresence,
        _ summary: String
    ) -> Value? {
        known.append(key)
        if isDescribing {
            rows.append(
                SettingRow(key: key, shape: format.shape, presence: presence, summary: summary))
        }
        guard let given = members?.first(where: { $0.name == key }) else { return nil }
        return format.read(given.value, path.appending(key), &problems)
    }
}

extension SettingsReader {
    /// True if settings of this section had no problem.
    public func isSound(_ keys: String...) -> Bool {
        keys.allSatisfy { isSound(at: path.appending($0)) }
    }

    /// True if a setting anywhere had no problem.
    public func isSound(at path: SettingPath) -> Bool { problems.spare(path) }

    /// Reports a problem between settings.
    public mutating func report(
        _ label: SettingProblem.Label = .contradiction, at path: SettingPath, _ message: String
    ) {
        problems.report(label, at: path, message)
    }

    /// Reports that a setting contradicts others, in a sentence that begins with its path, unless
    /// something about it has been reported already.
    public mutating func refuse(_ path: SettingPath, _ reason: @autoclosure () -> String) {
        if isSound(at: path) { report(at: path, "\(path) \(reason())") }
    }

    /// Reports that a setting of this section contradicts others.
    public mutating func refuse(_ key: String, _ reason: @autoclosure () -> String) {
        refuse(path.appending(key), reason())
    }

    /// Sets a value to that of a setting, where the text has it.
    public mutating func replace<Value>(
        _ value: inout Value, _ key: String, _ format: SettingFormat<Value>, _ summary: String
    ) {
        value = optional(key, format, summary) ?? value
    }

    /// Sets a value that may be absent to that of a setting, where the text has it.
    public mutating func replace<Value>(
        _ value: inout Value?, _ key: String, _ format: SettingFormat<Value>, _ summary: String
    ) {
        value = optional(key, format, summary) ?? value
    }

    /// Reports the members that are no settings.
    mutating func reportUnknownKeys() {
        problems.reportUnknownKeys(among: members ?? [], at: path, knowing: known)
    }
}

extension SettingProblems {
    /// Reports the members with unknown names.
    mutating func reportUnknownKeys(
        among members: [JSONNode.Member], at path: SettingPath, knowing names: [String]
    ) {
        for member in members where !names.contains(member.name) {
            guard !isFull else {
                // Only counted: composing a message takes time, and it would not be kept.
                report(.unknownKey, at: path, "")
                continue
            }
            let hint = Spelling.hint(for: member.name, among: names)
            let known = hint.isEmpty ? Spelling.known(names) : hint
            let path = path.appending(member.name)
            report(
                .unknownKey, at: path, "\(path) is not a setting.\(known)", place: member.place)
        }
    }
}

extension String {
    /// A sentence as the end of another one: without a capital and a full stop.
    fileprivate var sentencePart: String {
        prefix(1).lowercased() + dropFirst().prefix(while: { $0 != "." && $0 != ";" })
    }
}

/// A value that is computed at first use and then kept, since what it is made of does not change.
public final class ReadOnce: Sendable {
    private let value = Mutex<(any Sendable)?>(nil)

    /// Keeps no value yet.
    public init() {}

    /// The value; `read` computes it the first time.
    public func value<Value: Sendable>(_ read: () -> Value) -> Value {
        if let known = value.withLock({ $0 }) as? Value { return known }
        let made = read()
        value.withLock { $0 = made }
        return made
    }
}

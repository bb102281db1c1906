/// The format of a setting: how it is described, read and checked, in one value.
///
/// **Start here** to read this module. Formats are composed: a list of sections, an object with
/// exactly one of some alternatives, a duration that is converted to something else.
///
/// ```swift
/// let format = SettingFormat.list(of: .duration(0...1_000_000_000), 1...10)
/// ```
public struct SettingFormat<Value: Sendable>: Sendable {
    /// Describes it.
    let describe: @Sendable () -> SettingShape
    /// Replaces a value that could not be read, so that everything else can be checked as well; a
    /// section's has all defaults.
    public let placeholder: @Sendable () -> Value
    /// Reads the value; nil when there is none, which has then been reported.
    let read: @Sendable (JSONNode, SettingPath, inout SettingProblems) -> Value?

    /// Makes a format from its parts.
    public init(
        describe: @escaping @Sendable () -> SettingShape,
        placeholder: @escaping @Sendable () -> Value,
        read: @escaping @Sendable (JSONNode, SettingPath, inout SettingProblems) -> Value?
    ) {
        self.describe = describe
        self.placeholder = placeholder
        self.read = read
    }

    /// Its description for references and schemas.
    public var shape: SettingShape { describe() }

    /// The value in a document.
    ///
    /// It is the placeholder if the value cannot be read, which is then reported as a problem.
    public func value(
        of node: JSONNode, at path: SettingPath = .root, _ problems: inout SettingProblems
    ) -> Value {
        read(node, path, &problems) ?? placeholder()
    }

    /// A copy with its value converted.
    public func map<Other: Sendable>(
        _ change: @escaping @Sendable (Value) -> Other
    ) -> SettingFormat<Other> {
        SettingFormat<Other>(
            describe: describe, placeholder: { change(placeholder()) },
            read: { node, path, problems in read(node, path, &problems).map(change) })
    }

    /// A copy that refuses values for which `problem` returns a message.
    public func refusing(
        _ problem: @escaping @Sendable (Value, SettingPath) -> String?
    ) -> SettingFormat {
        SettingFormat(describe: describe, placeholder: placeholder) { node, path, problems in
            guard let value = read(node, path, &problems) else { return nil }
            guard let message = problem(value, path) else { return value }
            problems.report(.contradiction, at: path, message)
            return nil
        }
    }

    /// A copy that reads a text by another format.
    public func orText(_ other: SettingFormat) -> SettingFormat {
        SettingFormat(describe: describe, placeholder: placeholder) { node, path, problems in
            switch node.value {
            case .string, .number: other.read(node, path, &problems)
            default: read(node, path, &problems)
            }
        }
    }

    /// A copy with another description.
    public func described(
        _ change: @escaping @Sendable (inout SettingShape) -> Void
    ) -> SettingFormat {
        SettingFormat(
            describe: {
                var shape = describe()
                change(&shape)
                return shape
            }, placeholder: placeholder, read: read)
    }

    /// A copy described in words, without inner settings, which are described elsewhere.
    public func described(as words: String) -> SettingFormat {
        described { shape in
            shape.words = words
            shape.inner = (".", [])
        }
    }

    /// A copy that checks alike, but keeps the written text instead of the value.
    public var checking: SettingFormat<CheckedSetting> {
        SettingFormat<CheckedSetting>(
            describe: describe, placeholder: { CheckedSetting() },
            read: { node, path, problems in
                let before = problems.count
                guard read(node, path, &problems) != nil, problems.count == before else {
                    return nil
                }
                return CheckedSetting(JSON(node))
            })
    }
}

/// A setting that was checked by code that does not know its value's type.
///
/// The package that provided the format converts it to the value.
public struct CheckedSetting: Hashable, Sendable {
    private let json: JSON
    private let once = ReadOnce()

    init(_ json: JSON = [:]) { self.json = json }

    /// The name of the only member, if there is exactly one.
    public var kind: String? {
        guard case .object(let members) = json, members.count == 1 else { return nil }
        return members.first?.key
    }

    /// True for `[]`.
    public var isEmptyList: Bool { json == [] }

    /// True for `{}`.
    public var isEmptyObject: Bool { json == [:] }

    /// The value.
    ///
    /// - Precondition: the setting was checked by this format, or by a stricter one.
    public func value<Value>(as format: SettingFormat<Value>) -> Value {
        once.value {
            var problems = SettingProblems()
            let value = format.value(of: JSONNode(json), &problems)
            precondition(problems.all.isEmpty, "\(json.line) was checked by another format")
            return value
        }
    }

    /// True for two settings that were written alike, with their layout left out.
    public static func == (left: CheckedSetting, right: CheckedSetting) -> Bool {
        left.json == right.json
    }

    /// Feeds the written value.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

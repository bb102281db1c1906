/// What a setting may be: how it is described, read and checked, in one value.
///
/// **Start here** to read this module. Formats are made of one another: a list of sections, an
/// object with exactly one of some alternatives, a duration that is turned into something else.
///
/// ```swift
/// let format = SettingFormat.list(of: .duration(0...1_000_000_000), 1...10)
/// ```
public struct SettingFormat<Value: Sendable>: Sendable {
    /// How it is described.
    let describe: @Sendable () -> SettingShape
    /// Stands for a value that could not be read, so that everything else can be checked as well.
    let placeholder: @Sendable () -> Value
    /// The value; nil when there is none, which has been reported then.
    let read: @Sendable (JSONNode, SettingPath, inout SettingProblems) -> Value?

    /// A format of its own.
    public init(
        describe: @escaping @Sendable () -> SettingShape,
        placeholder: @escaping @Sendable () -> Value,
        read: @escaping @Sendable (JSONNode, SettingPath, inout SettingProblems) -> Value?
    ) {
        self.describe = describe
        self.placeholder = placeholder
        self.read = read
    }

    /// What it may be, as references and schemas say it.
    public var shape: SettingShape { describe() }

    /// The value that a document asks for.
    ///
    /// The placeholder where that cannot be said; there are problems then.
    public func value(
        of node: JSONNode, at path: SettingPath = .root, _ problems: inout SettingProblems
    ) -> Value {
        read(node, path, &problems) ?? placeholder()
    }

    /// The same text for another value.
    public func map<Other: Sendable>(
        _ change: @escaping @Sendable (Value) -> Other
    ) -> SettingFormat<Other> {
        SettingFormat<Other>(
            describe: describe, placeholder: { change(placeholder()) },
            read: { node, path, problems in read(node, path, &problems).map(change) })
    }

    /// The same, but values for which `problem` has an answer are refused with it.
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

    /// The same, with a text read by another format.
    public func orText(_ other: SettingFormat) -> SettingFormat {
        SettingFormat(describe: describe, placeholder: placeholder) { node, path, problems in
            guard case .string = node.value else { return read(node, path, &problems) }
            return other.read(node, path, &problems)
        }
    }

    /// The same, described otherwise.
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

    /// The same, in words and without the settings in it, which are described elsewhere.
    public func described(as words: String) -> SettingFormat {
        described { shape in
            shape.words = words
            shape.inner = (".", [])
        }
    }

    /// The same check, keeping what was written instead of the value.
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

/// A setting that was held against a format by somebody who cannot know its value's type.
///
/// Whoever brought the format turns it into the value.
public struct CheckedSetting: Hashable, Sendable {
    private let json: JSON
    private let once = ReadOnce()

    init(_ json: JSON = [:]) { self.json = json }

    /// The name of the only member, where there is exactly one.
    public var kind: String? {
        guard case .object(let members) = json, members.count == 1 else { return nil }
        return members.first?.key
    }

    /// Whether it is a list of nothing.
    public var isEmptyList: Bool { json == [] }

    /// Whether it is an object of nothing.
    public var isEmptyObject: Bool { json == [:] }

    /// The value.
    ///
    /// - Precondition: the setting was checked by this format, or by one that allows less.
    public func value<Value>(as format: SettingFormat<Value>) -> Value {
        once.value {
            var problems = SettingProblems()
            let value = format.value(of: JSONNode(json), &problems)
            precondition(problems.all.isEmpty, "\(json.line) was checked by another format")
            return value
        }
    }

    /// Whether the same was written.
    public static func == (left: CheckedSetting, right: CheckedSetting) -> Bool {
        left.json == right.json
    }

    /// Takes in what was written.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

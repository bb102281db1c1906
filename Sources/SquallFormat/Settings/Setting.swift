/// One setting: everything that reading, validation, schema and reference need.
public struct Setting<Value: Sendable>: Sendable {
    /// Its key.
    public let key: String
    /// What it may be.
    public let format: SettingFormat<Value>
    /// What holds when it is left out.
    public let presence: SettingPresence
    /// One sentence that says what it does.
    public let summary: String
    private let once = ReadOnce()

    private init(
        _ key: String, _ format: SettingFormat<Value>, _ presence: SettingPresence,
        _ summary: String
    ) {
        self.key = key
        self.format = format
        self.presence = presence
        self.summary = summary
    }

    /// A setting that may be left out for a default.
    public init(
        _ key: String, _ format: SettingFormat<Value>, otherwise: JSON, _ summary: String
    ) {
        self.init(key, format, .otherwise(otherwise), summary)
    }

    /// One of several settings of which exactly one is there.
    public init(_ key: String, _ format: SettingFormat<Value>, _ summary: String) {
        self.init(key, format, .optional, summary)
    }

    /// The same text for another value.
    public func map<Other>(_ change: @escaping @Sendable (Value) -> Other) -> Setting<Other> {
        Setting<Other>(key, format.map(change), presence, summary)
    }

    /// The same check, keeping what was written instead of the value.
    public var checking: Setting<CheckedSetting> {
        Setting<CheckedSetting>(key, format.checking, presence, summary)
    }

    /// What it is when it is left out.
    ///
    /// - Precondition: it may be left out for a default.
    public var standard: Value {
        guard case .otherwise(let json) = presence else {
            preconditionFailure("\(key) has no default")
        }
        return once.value { CheckedSetting(json).value(as: format) }
    }

    var row: SettingRow {
        SettingRow(key: key, shape: format.shape, presence: presence, summary: summary)
    }
}

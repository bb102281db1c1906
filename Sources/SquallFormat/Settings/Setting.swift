/// One setting, with all that reading, validation, schema and reference need.
public struct Setting<Value: Sendable>: Sendable {
    /// Its key.
    public let key: String
    /// Its format.
    public let format: SettingFormat<Value>
    /// Its default, or that it must be there.
    let presence: SettingPresence
    /// One sentence about its effect.
    let summary: String
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

    /// A setting that may be left out and has a default.
    public init(
        _ key: String, _ format: SettingFormat<Value>, otherwise: JSON, _ summary: String
    ) {
        self.init(key, format, .otherwise(otherwise), summary)
    }

    /// One of several settings, exactly one of which must be there.
    public init(_ key: String, _ format: SettingFormat<Value>, _ summary: String) {
        self.init(key, format, .optional, summary)
    }

    /// A copy with its value converted.
    public func map<Other>(_ change: @escaping @Sendable (Value) -> Other) -> Setting<Other> {
        Setting<Other>(key, format.map(change), presence, summary)
    }

    /// A copy that checks alike, but keeps the written text instead of the value.
    public var checking: Setting<CheckedSetting> {
        Setting<CheckedSetting>(key, format.checking, presence, summary)
    }

    /// The default.
    ///
    /// - Precondition: it has a default.
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

import SquallFormat
import SquallReport

/// One setting of a profile: everything that reading, validation, schema and documentation need.
struct Field: Sendable {
    let key: String
    let type: FieldType
    let presence: Presence
    /// One sentence that says what the setting does.
    let summary: String

    /// What holds when the setting is left out.
    enum Presence: Sendable {
        case required
        case optional
        case otherwise(JSON)
    }

    init(_ key: String, _ type: FieldType, _ presence: Presence, _ summary: String) {
        self.key = key
        self.type = type
        self.presence = presence
        self.summary = summary
    }
}

/// What a setting's value may be.
indirect enum FieldType: Sendable {
    /// A text with so many characters.
    case text(ClosedRange<Int>)
    /// One of a fixed list of words.
    case choice([String])
    /// The name of an app that the vocabulary knows.
    case app
    /// A token design of the app beside it.
    case design
    /// The name of one of the server's endpoints.
    case endpoint
    /// Endpoints' names with a value for each.
    case byEndpoint(FieldType)
    /// Names of the app's journeys with positive weights.
    case journeyWeights
    case flag
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    /// All 64 bits, decimal or as a text with `0x`.
    case seed
    /// Nanoseconds, written as a text with units.
    case duration(ClosedRange<Int64>)
    /// A law whose parameters lie in the range, or a bare duration that means a constant.
    case distribution(ClosedRange<Int64>)
    /// Metrics with lists of expectations.
    case thresholds
    case section([Field])
    /// An object with exactly one of these members.
    case oneOf([Field])
    case list(FieldType, ClosedRange<Int>)
    /// A list with exactly these elements.
    case tuple([FieldType])
}

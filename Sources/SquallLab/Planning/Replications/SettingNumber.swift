import SquallFormat

/// A setting that is a number, so that it can be varied.
struct SettingNumber: Hashable, Sendable {
    /// Its key path as people write it.
    let path: String
    /// The number; durations in nanoseconds.
    let value: Double
    /// How it is written.
    let kind: Kind

    /// How a number is written in a profile.
    enum Kind: Hashable, Sendable {
        case integer
        case fraction
        case duration
    }

    /// The override that sets another number; whole where fractions are not allowed.
    func override(_ number: Double) -> ProfileOverride? {
        ProfileOverride(setting: "\(path)=\(text(number))", of: "--vary")
    }

    /// A number of its kind, as written in a profile.
    func text(_ number: Double) -> String {
        switch kind {
        case .integer: "\(Int64(clamped: number.rounded()))"
        case .fraction: Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .duration: Units.exact(nanoseconds: max(0, Int64(clamped: number.rounded())))
        }
    }
}

extension SettingNumber {
    /// The number of a setting of a document, or its default; nil where it is no number or has no
    /// default.
    init?(at path: String, in document: JSONNode) {
        guard let place = SettingPath(path) else { return nil }
        let row = Profile.settings(.installed)[place]
        var node = place.node(in: document)
        if node == nil, case .otherwise(let json)? = row?.presence { node = JSONNode(json) }
        switch node?.value {
        case .number(let text)?:
            guard let value = Double(text) else { return nil }
            let isInteger = row?.shape.schema["type"] == "integer"
            self.init(path: path, value: value, kind: isInteger ? .integer : .fraction)
        case .string(let text)?:
            guard let duration = try? Units.nanoseconds(text) else { return nil }
            self.init(path: path, value: Double(duration), kind: .duration)
        default: return nil
        }
    }
}

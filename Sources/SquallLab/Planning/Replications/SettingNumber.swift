import SquallFormat
import SquallReport

/// A setting that is a number, so that it can be varied.
struct SettingNumber: Hashable, Sendable {
    /// Its key path as people write it.
    let path: String
    /// The number; durations in nanoseconds.
    let value: Double
    /// What it counts, which decides how it is written: a count is whole, a duration has a unit.
    let unit: Figure.Unit

    /// The override that sets another number; whole where fractions are not allowed.
    func override(_ number: Double) -> ProfileOverride? {
        ProfileOverride(setting: "\(path)=\(text(number))", of: "--vary")
    }

    /// A number of its kind, as written in a profile.
    func text(_ number: Double) -> String {
        switch unit {
        case .count: "\(Int64(clamped: number.rounded()))"
        case .nanoseconds: Units.exact(nanoseconds: max(0, Int64(clamped: number.rounded())))
        default: Int64(exactly: number).map { "\($0)" } ?? "\(number)"
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
            self.init(path: path, value: value, unit: isInteger ? .count : .number)
        case .string(let text)?:
            guard let duration = try? Units.nanoseconds(text) else { return nil }
            self.init(path: path, value: Double(duration), unit: .nanoseconds)
        default: return nil
        }
    }
}

import SquallFormat

/// A setting that was neither measured nor given, and its effect on the answer.
public struct AssumedRow: Codable, Sendable {
    /// Its key path in the profile.
    public let setting: String
    /// The value that was assumed, as the profile has it.
    public let value: String
    /// The worse effect of ±50 %, in words.
    public let effect: String
    /// The worse effect of ±50 % as a share, by operational laws; `nil` where the setting is no
    /// number and no estimate is possible.
    @OrNull private(set) var change: Double?
    /// True if the answer rests on it: the effect is large, or cannot be estimated.
    public let isDecisive: Bool

    /// The least change, as a share, on which an answer rests.
    static let decisiveChange = 0.1

    /// The row of a setting with an estimated effect on the measurements, as a share.
    public init(_ setting: String, _ value: String, effect: String, change: Double) {
        self.setting = setting
        self.value = value
        self.effect = effect
        isDecisive = change >= Self.decisiveChange
        self.change = change
    }

    /// Makes the row of a setting whose effect cannot be estimated.
    public init(_ setting: String, _ value: String, unknownEffect: String, isDecisive: Bool) {
        self.setting = setting
        self.value = value
        effect = unknownEffect
        self.isDecisive = isDecisive
        change = nil
    }
}

extension [AssumedRow] {
    /// The settings on which an answer rests.
    public var decisive: [AssumedRow] { filter(\.isDecisive) }

    /// The rows of several profiles that an answer rests on together: each setting once, with its
    /// largest effect, in the order of their weight.
    public static func united(_ all: [[AssumedRow]]) -> [AssumedRow] {
        var rows: [AssumedRow] = []
        for row in Array(all.joined()).weighed
        where !rows.contains(where: { $0.setting == row.setting }) {
            rows.append(row)
        }
        return rows
    }

    /// First the settings on which the answer rests: estimated effects, the largest first, then
    /// those that cannot be estimated; then the rest.
    public var weighed: [AssumedRow] {
        func weight(_ row: AssumedRow) -> Double {
            (row.isDecisive ? 2_000 : 0) + (row.change.map { 1 + Swift.min($0, 900) } ?? 0)
        }
        return ordered { weight($0) > weight($1) }
    }

    /// A warning that nothing is measured, with the settings on which the answer rests and the way
    /// out; `nil` where it rests on nothing assumed.
    public var warning: String? {
        let decisive = decisive
        guard let first = decisive.first else { return nil }
        let names = decisive.map { "\($0.setting) \($0.value)" }.listed(atMost: 4)
        return "Not measured: this rests on \(Units.counted(decisive.count, "assumed value"))"
            + " (\(names)). Take them from a log that has them (squall fit access.log), or give"
            + " your own (--set \(first.setting)=…)."
    }
}

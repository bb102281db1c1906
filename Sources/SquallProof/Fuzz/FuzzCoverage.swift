import SquallFormat
public import SquallLab

/// The settings that profiles had, at which ends, and in which pairs.
public struct FuzzCoverage: Sendable {
    private var ends: [String: Ends] = [:]
    private var pairs: Set<Pair> = []
    private var numbers: [String: UInt32] = [:]
    private let table: SettingDomain
    /// Settings that are never drawn, in the order of the table, since only their own package can
    /// make their values, such as the apps and the service that a profile declares.
    public private(set) var undrawable: [String] = []

    private struct Ends: Sendable {
        var low = false
        var high = false
    }

    private struct Pair: Hashable {
        let first, second: UInt32
    }

    /// No coverage yet of a table's settings.
    public init(_ vocabulary: ProfileVocabulary) {
        table = .section(Profile.settings(vocabulary))
        count(table, at: "")
    }

    /// The number of settings with two ends.
    public var settings: Int { ends.count }
    /// The settings that have not been at both ends, sorted.
    public var missing: [String] {
        ends.filter { !$0.value.low || !$0.value.high }.keys.sorted()
    }
    func has(_ aim: FuzzAim) -> Bool {
        ends[aim.setting].map { aim.isHigh ? $0.high : $0.low } ?? true
    }

    /// All ends of all settings, sorted by setting.
    var aims: [FuzzAim] {
        ends.keys.sorted().flatMap { [FuzzAim($0, isHigh: false), FuzzAim($0, isHigh: true)] }
    }

    /// The number of pairs of settings that were in one profile.
    public var pairsSeen: Int { pairs.count }
    /// The number of all pairs.
    public var pairsInAll: Int { settings * (settings - 1) / 2 }

    /// Records the settings of a profile.
    public mutating func note(_ drawn: DrawnProfile) {
        var said: Set<UInt32> = []
        walk(drawn.document, table, at: "", &said)
        let sorted = said.sorted()
        for (index, first) in sorted.enumerated() {
            for second in sorted[(index + 1)...] {
                pairs.insert(Pair(first: first, second: second))
            }
        }
    }

    /// Adds every setting of a domain that has two ends.
    private mutating func count(_ domain: SettingDomain, at path: String) {
        switch domain {
        case .flag, .integers, .numbers, .durations, .texts, .words, .list:
            ends[path] = Ends()
            if numbers[path] == nil { numbers[path] = UInt32(numbers.count) }
        // Thresholds are drawn by code of their own.
        case .anything: break
        case .unknown: if path != "thresholds" { undrawable.append(path) }
        case .section, .oneOf, .pair, .each, .either, .seeds: break
        }
        for (step, part) in domain.parts where step != "$schema" && step != "schemaVersion" {
            count(part, at: path.joined(step))
        }
    }

    private mutating func walk(
        _ value: JSON, _ domain: SettingDomain, at path: String, _ said: inout Set<UInt32>
    ) {
        switch (domain, value) {
        case (.section(let rows), .object(let members)), (.oneOf(let rows), .object(let members)):
            for row in rows {
                guard let member = members[row.key] else { continue }
                walk(member, row.shape.domain, at: path.joined(row.key), &said)
            }
        case (.list(let element, let count), .array(let elements)):
            note(
                path, elements.count == count.lowerBound, elements.count == count.upperBound, &said)
            for inner in elements { walk(inner, element, at: path + "[]", &said) }
        case (.pair(let first, let second), .array(let elements)) where elements.count == 2:
            walk(elements[0], first, at: path + "[0]", &said)
            walk(elements[1], second, at: path + "[1]", &said)
        case (.each(_, let element), .object(let members)):
            for inner in members.values { walk(inner, element, at: path + ".*", &said) }
        case (.either(let one, let other), _):
            if case .object = value { walk(value, one, at: path, &said) }
            if case .string = value { walk(value, other, at: path, &said) }
        default:
            guard let (low, high) = domain.ends(at: value) else { return }
            note(path, low, high, &said)
        }
    }

    private mutating func note(
        _ path: String, _ low: Bool, _ high: Bool, _ said: inout Set<UInt32>
    ) {
        guard let number = numbers[path] else { return }
        said.insert(number)
        if low { ends[path]?.low = true }
        if high { ends[path]?.high = true }
    }
}

extension String {
    /// The name of a setting's part: `populations` and `[]` make `populations[]`.
    fileprivate func joined(_ step: String) -> String {
        isEmpty || step.isEmpty || step.hasPrefix("[") ? self + step : "\(self).\(step)"
    }
}

extension SettingDomain {
    /// True for the lowest value, and true for the highest; nil if values have no order.
    fileprivate func ends(at value: JSON) -> (low: Bool, high: Bool)? {
        switch (self, value) {
        case (.flag, .bool(let flag)): (!flag, flag)
        case (.integers(let range), .integer(let number)):
            (number == range.lowerBound, number == range.upperBound)
        case (.numbers(let range), .number(let number)):
            (number == range.lowerBound, number == range.upperBound)
        case (.numbers(let range), .integer(let number)):
            (Double(number) == range.lowerBound, Double(number) == range.upperBound)
        case (.durations(let range), .string(let text)):
            (try? Units.nanoseconds(text)).map { ($0 == range.lowerBound, $0 == range.upperBound) }
        case (.texts(let range), .string(let text)):
            (text.count == range.lowerBound, text.count == range.upperBound)
        case (.words(let words), .string(let text)): (text == words.first, text == words.last)
        default: nil
        }
    }
}

import SquallReport

/// A setting after reading: the right type, in range, defaults filled in.
indirect enum FieldValue: Sendable {
    case text(String)
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case seed(UInt64)
    case nanoseconds(Int64)
    case weights([Profile.JourneyWeight])
    case thresholds([Threshold])
    case section(FieldValues)
    case list([FieldValue])
}

/// The settings of a section.
///
/// Reading a setting as what its table does not say is a mistake in this module and stops the
/// program; a file cannot cause it.
struct FieldValues: Sendable {
    private var values: [String: FieldValue] = [:]

    subscript(key: String) -> FieldValue? {
        get { values[key] }
        set { values[key] = newValue }
    }

    /// The keys that have a value, sorted.
    var keys: [String] { values.keys.sorted() }

    /// The only setting of a section that has exactly one.
    var only: (key: String, value: FieldValue)? {
        values.count == 1 ? values.first.map { ($0.key, $0.value) } : nil
    }

    func text(_ key: String) -> String {
        if let text = optionalText(key) { text } else { missing(key) }
    }

    func optionalText(_ key: String) -> String? {
        if case .text(let text) = values[key] { text } else { nil }
    }

    func flag(_ key: String) -> Bool {
        if case .flag(let flag) = values[key] { flag } else { missing(key) }
    }

    func integer(_ key: String) -> Int64 {
        if let integer = optionalInteger(key) { integer } else { missing(key) }
    }

    func optionalInteger(_ key: String) -> Int64? {
        if case .integer(let integer) = values[key] { integer } else { nil }
    }

    func number(_ key: String) -> Double {
        if case .number(let number) = values[key] { number } else { missing(key) }
    }

    func optionalNumber(_ key: String) -> Double? {
        if case .number(let number) = values[key] { number } else { nil }
    }

    func seed(_ key: String) -> UInt64 {
        if case .seed(let seed) = values[key] { seed } else { missing(key) }
    }

    func nanoseconds(_ key: String) -> Int64 {
        if let nanoseconds = optionalNanoseconds(key) { nanoseconds } else { missing(key) }
    }

    func optionalNanoseconds(_ key: String) -> Int64? {
        if case .nanoseconds(let nanoseconds) = values[key] { nanoseconds } else { nil }
    }

    func weights(_ key: String) -> [Profile.JourneyWeight] {
        if case .weights(let weights) = values[key] { weights } else { missing(key) }
    }

    func thresholds(_ key: String) -> [Threshold] {
        if case .thresholds(let thresholds) = values[key] { thresholds } else { missing(key) }
    }

    func section(_ key: String) -> FieldValues {
        if let section = optionalSection(key) { section } else { missing(key) }
    }

    func optionalSection(_ key: String) -> FieldValues? {
        if case .section(let section) = values[key] { section } else { nil }
    }

    func sections(_ key: String) -> [FieldValues] {
        list(key).compactMap { if case .section(let section) = $0 { section } else { nil } }
    }

    func list(_ key: String) -> [FieldValue] {
        if case .list(let list) = values[key] { list } else { missing(key) }
    }

    func texts(_ key: String) -> [String] {
        guard case .list(let list) = values[key] else { return [] }
        return list.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    private func missing(_ key: String) -> Never {
        preconditionFailure("the table of settings says nothing of '\(key)', or another type")
    }
}

import SquallFormat

/// One end of one setting, which a random profile is made to have.
///
/// Ten thousand purely random profiles would not contain a setting deep in a distribution of one
/// kind of fault; so every other profile is drawn around one end of one setting.
struct FuzzAim: Hashable, Sendable {
    /// The setting's name in coverage: `backend.faults[].factor.pareto.shape`.
    let setting: String
    let isHigh: Bool
    private let steps: [Substring]

    init(_ setting: String, isHigh: Bool) {
        self.setting = setting
        self.isHigh = isHigh
        steps = setting.replacing("[", with: ".[").split(separator: ".")
    }

    /// True for a path that leads to the setting or is its own.
    func leads(through path: [PathStep]) -> Bool {
        path.count <= steps.count && zip(path, steps).allSatisfy { FuzzAim.isMet($1, by: $0) }
    }

    func isMet(at path: [PathStep]) -> Bool { path.count == steps.count && leads(through: path) }

    /// True where the setting is below a path with that domain.
    func lies(in domain: SettingDomain, at path: [PathStep]) -> Bool {
        leads(through: path) && FuzzAim.holds(domain, steps.dropFirst(path.count))
    }

    private static func isMet(_ name: Substring, by step: PathStep) -> Bool {
        switch step {
        case .key(let key): name == key || name == "*"
        case .index(let index): name == "[]" || name == "[\(index)]"
        }
    }

    private static func holds(_ domain: SettingDomain, _ rest: ArraySlice<Substring>) -> Bool {
        guard let name = rest.first else { return true }
        return domain.parts.contains { step, part in
            step.isEmpty ? holds(part, rest) : step == name && holds(part, rest.dropFirst())
        }
    }
}

extension SettingDomain {
    /// The domains in a value, by the step that leads to each: a key, `[]` for an element, `*` for
    /// any name; empty for one of several forms of the value itself.
    var parts: [(step: String, domain: SettingDomain)] {
        switch self {
        case .section(let rows), .oneOf(let rows): rows.map { ($0.key, $0.shape.domain) }
        case .list(let element, _): [("[]", element)]
        case .pair(let first, let second): [("[0]", first), ("[1]", second)]
        case .each(_, let element): [("*", element)]
        case .either(let one, let other): [("", one), ("", other)]
        case .flag, .integers, .numbers, .durations, .seeds, .texts, .words, .unknown,
            .anything:
            []
        }
    }
}

extension FuzzAim {
    /// The value at the aimed end of a domain; nil if the domain has no ends.
    func end(of domain: SettingDomain) -> JSON? {
        switch domain {
        case .flag: .bool(isHigh)
        case .integers(let range): .integer(isHigh ? range.upperBound : range.lowerBound)
        case .numbers(let range): .number(isHigh ? range.upperBound : range.lowerBound)
        case .durations(let range):
            .string(Units.exact(nanoseconds: isHigh ? range.upperBound : range.lowerBound))
        case .words(let words): (isHigh ? words.last : words.first).map(JSON.string)
        case .seeds, .texts, .section, .oneOf, .list, .pair, .each, .either, .unknown,
            .anything:
            nil
        }
    }
}

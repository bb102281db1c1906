import SquallApps
import SquallBackend
import SquallFormat
import SquallLab
import SquallReport

/// Writes drawn values: the table says what they may be, dice which they are.
struct ProfileGenerator {
    var dice: RandomChoices
    let vocabulary: ProfileVocabulary
    /// The generated files of arrivals, by name.
    private(set) var files: [String: String] = [:]
    /// The share of optional settings that are given.
    private let optionalShare: Double
    /// The end of a setting that the profile must have, whatever the dice say.
    private let aim: FuzzAim?
    private var duration: Int64 = 600 * Span.second
    private var app: AppDescription?

    init(dice: RandomChoices, vocabulary: ProfileVocabulary, aim: FuzzAim? = nil) {
        var dice = dice
        optionalShare = dice.pick(aim == nil ? [0.05, 0.2, 0.5, 0.9] : [0, 0.05, 0.2])
        self.dice = dice
        self.vocabulary = vocabulary
        self.aim = aim
    }

    /// A value of a domain for the setting at a path.
    mutating func value(of domain: SettingDomain, at path: [PathStep]) -> JSON {
        if let aim, aim.isMet(at: path), let end = aim.end(of: domain) {
            if path.setting == "duration", case .string(let text) = end {
                duration = (try? Units.nanoseconds(text)) ?? duration
            }
            return end
        }
        return switch domain {
        case .flag: .bool(dice.chance(0.5))
        case .integers(let range): .integer(integer(in: range, at: path))
        case .numbers(let range): .number(dice.number(in: range))
        case .durations(let range):
            .string(Units.exact(nanoseconds: nanoseconds(in: range, at: path)))
        case .seeds: dice.chance(0.5) ? .unsigned(dice.word()) : .string("0xffffffffffffffff")
        case .texts(let range): .string(text(range, at: path))
        case .words(let words): .string(word(among: words, at: path))
        case .section(let rows): section(rows, at: path)
        case .oneOf(let rows): oneOf(rows, at: path)
        case .list(let element, let count): list(of: element, count, at: path)
        case .pair(let first, let second): pair(first, second, at: path)
        case .each(let names, let element): each(names, element, at: path)
        case .either(let one, let other): value(of: either(one, other, at: path), at: path)
        case .anything: ["number": "{{number}}"]
        case .unknown: path.setting == "thresholds" ? thresholds() : [:]
        }
    }

    private mutating func section(_ rows: [SettingRow], at path: [PathStep]) -> JSON {
        var members: [String: JSON] = [:]
        for row in relevant(rows, at: path, &members) where row.key != "$schema" {
            let place = path + [.key(row.key)]
            guard row.presence == .required || isAimed(through: place) || dice.chance(optionalShare)
            else { continue }
            members[row.key] = value(of: row.shape.domain, at: place)
        }
        if path.setting.hasSuffix(".open") || path.setting.hasSuffix(".partlyOpen"),
            case .array(let stages)? = members["stages"],
            stages.contains(where: { $0[[.key("trace")]] != nil })
        {
            members["spacing"] = "even"
        }
        return .object(members)
    }

    /// The rows that are meaningful for what is chosen first: an app, a kind of fault.
    private mutating func relevant(
        _ rows: [SettingRow], at path: [PathStep], _ members: inout [String: JSON]
    ) -> [SettingRow] {
        switch path.setting {
        case "populations[]":
            let app = chosenApp(rows, at: path)
            self.app = app
            members["app"] = .string(app.name)
            return rows.filter { $0.key != "app" }
        case "backend.faults[]":
            let kind = chosenFault(at: path)
            members["kind"] = .string(kind.name)
            let common = ["at"] + kind.takes
            guard case .section(let own) = kind.settings.shape.domain else { return rows }
            let names = own.map(\.key)
            return rows.filter { common.contains($0.key) && !names.contains($0.key) } + own
        default: return rows
        }
    }

    private mutating func oneOf(_ rows: [SettingRow], at path: [PathStep]) -> JSON {
        let aimed = rows.filter {
            aim?.lies(in: $0.shape.domain, at: path + [.key($0.key)]) == true
        }
        let row = dice.pick(aimed.isEmpty ? rows : aimed)
        let inner = value(of: row.shape.domain, at: path + [.key(row.key)])
        return .object([row.key: inner])
    }

    private mutating func list(
        of element: SettingDomain, _ count: ClosedRange<Int>, at path: [PathStep]
    ) -> JSON {
        let few = count.lowerBound...min(count.upperBound, max(count.lowerBound, 3))
        var size =
            dice.chance(0.003)
            ? count.upperBound : few.lowerBound + dice.below(few.count)
        if let aim, aim.isMet(at: path) { size = aim.isHigh ? count.upperBound : count.lowerBound }
        if isAimed(through: path + [.index(0)]) { size = max(1, size) }
        return .array((0..<size).map { value(of: element, at: path + [.index($0)]) })
    }

    private func isAimed(through path: [PathStep]) -> Bool {
        aim?.leads(through: path) == true
    }

    private mutating func either(
        _ one: SettingDomain, _ other: SettingDomain, at path: [PathStep]
    ) -> SettingDomain {
        guard let aim, aim.leads(through: path) else { return dice.chance(0.7) ? one : other }
        if aim.isMet(at: path) { return aim.end(of: one) == nil ? other : one }
        return aim.lies(in: one, at: path) ? one : other
    }

    private mutating func pair(
        _ first: SettingDomain, _ second: SettingDomain, at path: [PathStep]
    ) -> JSON {
        let (one, other) = (
            value(of: first, at: path + [.index(0)]), value(of: second, at: path + [.index(1)])
        )
        // The ends of a span, which would be refused in the wrong order.
        if case .string(let low) = one, case .string(let high) = other,
            let start = try? Units.nanoseconds(low), let end = try? Units.nanoseconds(high),
            start > end
        {
            return .array([other, one])
        }
        return .array([one, other])
    }

    private mutating func each(
        _ names: [String], _ element: SettingDomain, at path: [PathStep]
    ) -> JSON {
        let isJourneys = path.setting == "populations[].journeys"
        let known = isJourneys ? app?.journeys.map(\.name) ?? names : names
        var members: [String: JSON] = [:]
        for _ in 0..<(1 + dice.below(3)) {
            let name = dice.pick(known)
            members[name] = value(of: element, at: path + [.key(name)])
        }
        return .object(members)
    }
}

/// Settings that are drawn first, because others depend on them.
extension ProfileGenerator {
    private mutating func chosenApp(
        _ rows: [SettingRow], at path: [PathStep]
    ) -> AppDescription {
        let apps = vocabulary.apps
        if let aim, aim.isMet(at: path + [.key("app")]) {
            return (aim.isHigh ? apps.last : apps.first) ?? dice.pick(apps)
        }
        guard let aim, aim.isMet(at: path + [.key("design")]),
            let row = rows.first(where: { $0.key == "design" }),
            case .string(let design)? = aim.end(of: row.shape.domain)
        else { return dice.pick(apps) }
        let wanted = apps.filter { $0.designs.contains(design) }
        return dice.pick(wanted.isEmpty ? apps : wanted)
    }

    private mutating func chosenFault(at path: [PathStep]) -> FaultFormat {
        let kinds = FaultFormat.all
        guard let aim, aim.leads(through: path) else { return dice.pick(kinds) }
        if aim.isMet(at: path + [.key("kind")]) {
            return (aim.isHigh ? kinds.last : kinds.first) ?? dice.pick(kinds)
        }
        let wanted = kinds.filter { kind in
            let common = ["at"] + kind.takes
            return common.contains { aim.leads(through: path + [.key($0)]) }
                || aim.lies(in: kind.settings.shape.domain, at: path)
        }
        return dice.pick(wanted.isEmpty ? kinds : wanted)
    }
}

/// Values of the kinds that depend on no other setting.
extension ProfileGenerator {
    /// Settings whose upper end takes a long time or much memory before the first event, and what
    /// is usual instead; once in three hundred times the upper end is drawn all the same.
    private static let usual: [String: Int64] = [
        "populations[].users": 60, "backend.content.novels": 300, "backend.content.outfits": 2_000,
        "backend.content.episodesPerNovelMin": 100, "backend.content.episodesPerNovelMax": 100,
        "backend.content.bookPosts": 2_000, "backend.content.giftQuestions": 2_000,
        "backend.catalogue.items": 5_000, "duration": 900 * Span.second,
    ]

    private mutating func usualRange(
        _ range: ClosedRange<Int64>, at path: [PathStep]
    ) -> ClosedRange<Int64> {
        guard let usual = ProfileGenerator.usual[path.setting], !dice.chance(1.0 / 300) else {
            return range
        }
        return range.lowerBound...max(range.lowerBound, min(range.upperBound, usual))
    }

    private mutating func integer(in range: ClosedRange<Int64>, at path: [PathStep]) -> Int64 {
        dice.integer(in: usualRange(range, at: path))
    }

    private mutating func nanoseconds(in range: ClosedRange<Int64>, at path: [PathStep]) -> Int64 {
        switch path.setting {
        case "duration":
            duration = dice.integer(in: usualRange(range, at: path))
            return duration
        case "backend.faults[].at", "warmUp.for":
            return dice.integer(in: 0...duration)
        default: return dice.integer(in: range)
        }
    }

    private mutating func word(among words: [String], at path: [PathStep]) -> String {
        guard path.setting == "populations[].design", let app else { return dice.pick(words) }
        return dice.pick(app.designs)
    }

    private mutating func text(_ length: ClosedRange<Int>, at path: [PathStep]) -> String {
        if path.setting.hasSuffix("trace.file") { return arrivalFile() }
        let odd = [
            "plain", "a\"b\\c", "<b>&amp;'\"", "이책저책 👩‍👩‍👧‍👦", "=1+1,\"x\";y", "../../etc/passwd",
            "%s%n{}$(x)",
        ]
        var text = dice.pick(odd)
        var size = Int(dice.integer(in: Int64(length.lowerBound)...Int64(length.upperBound)))
        if let aim, aim.isMet(at: path) {
            size = aim.isHigh ? length.upperBound : length.lowerBound
        }
        while text.count < size { text += dice.pick(odd) }
        while text.count > size { text.removeLast() }
        return text
    }

    /// A file of arrivals: many at once, none, spread over the run, or far beyond its end.
    private mutating func arrivalFile() -> String {
        let name = "arrivals-\(files.count + 1).txt"
        var instants: [Int64] = []
        for _ in 0..<dice.pick([0, 1, 5, 40]) {
            instants.append(
                dice.integer(in: 0...dice.pick([0, duration, 2 * duration, Int64.max])))
        }
        files[name] = instants.sorted().map { Units.exact(nanoseconds: $0) + "\n" }.joined()
        return name
    }

    private mutating func thresholds() -> JSON {
        let limits = [
            "count<100", "count==0", "count>=1", "rate<0.5", "rate<1%", "rate>0", "value<5",
            "max<10", "min>=0", "p(95)<1s", "p(100)<1ms", "avg<3s", "med<50", "max<1m",
            "count<1 after 1s", "rate<0.5 until 30s", "p(99)<2s after 2s until 20s",
            "count<1 abort", "p(50)<1ms abort", "count<3 after 1s abort",
        ]
        var members: [String: JSON] = [:]
        for _ in 0..<(1 + dice.below(4)) {
            let metric = dice.pick(MetricCatalogue.installed.names)
            let right = limits.filter { limit in
                (try? Profile.Expectation(metric: metric, expression: limit).threshold()) != nil
            }
            if !right.isEmpty { members[metric] = .array([.string(dice.pick(right))]) }
        }
        return .object(members)
    }
}

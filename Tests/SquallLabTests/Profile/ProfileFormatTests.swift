import Foundation
import SquallFormat
import TestSupport
import Testing

@testable import SquallLab

@Suite("Format of profiles")
struct ProfileFormatTests {
    @Test(
        "The schema has a setting with its default, its meaning and whether it is required",
        arguments: KnownSetting.all)
    func schema(setting: KnownSetting) throws {
        let own = try #require(setting.schemas.first, "\(setting) is not in the schema")
        let owner = try #require(setting.owner)
        let description = try #require(own["description"]?.string)
        #expect(description.hasPrefix(setting.row.summary))
        let isRequired = owner["required"]?.list.contains { $0.string == setting.row.key }
        let isAlternative = setting.row.presence == .optional && isRequired == true
        #expect(isRequired == (setting.row.presence == .required) || isAlternative)
        if case .otherwise(let json) = setting.row.presence {
            #expect(own["default"].map { JSON($0) } == json)
            #expect(setting.isAllowed(json) && setting.problems(reading: json).isEmpty)
        } else {
            #expect(own["default"] == nil)
        }
        if case .durations(let range) = setting.row.shape.domain, range.upperBound < .max {
            let ends = [range.lowerBound, range.upperBound].map { Units.exact(nanoseconds: $0) }
            #expect(description.hasSuffix(" (\(ends.joined(separator: "…")))"))
        }
    }

    @Test("Schema and reader allow the same values of a setting", arguments: KnownSetting.all)
    func values(setting: KnownSetting) {
        let (right, wrong) = setting.row.shape.domain.trials
        for value in right {
            #expect(setting.isAllowed(value), "the schema refuses \(value.line)")
            #expect(setting.problems(reading: value).isEmpty, "the reader refuses \(value.line)")
        }
        for value in wrong {
            #expect(!setting.isAllowed(value), "the schema allows \(value.line)")
            #expect(!setting.problems(reading: value).isEmpty, "the reader allows \(value.line)")
        }
        let isMissed = setting.problems(reading: nil).contains { $0.label == .missingKey }
        // What one kind of fault needs others do not know, so the schema cannot require it.
        let isOfOneKind = setting.path.hasPrefix("backend.faults[].") && isMissed
        #expect(isMissed == (setting.row.presence == .required) || isOfOneKind)
    }

    @Test("The schema has no property that the table of settings lacks")
    func properties() {
        func count(_ node: JSONNode) -> Int {
            let own = node["properties"]?.members.filter { $0.value["description"] != nil } ?? []
            return own.count + node.members.map { count($0.value) }.reduce(0, +)
                + node.list.map(count).reduce(0, +)
        }
        // Open and partly open loads have the same stages.
        let stages = KnownSetting.all.count { $0.table == 1 }
        #expect(count(KnownSetting.schema) == KnownSetting.all.count + stages)
    }

    @Test(
        "The reference has one entry of a setting, with its type, range, default and meaning",
        arguments: KnownSetting.all)
    func reference(setting: KnownSetting) throws {
        let entries = ReferenceEntry.all.filter {
            $0.path == setting.entry && $0.table == setting.table
        }
        #expect(entries.count == 1)
        let entry = try #require(entries.first)
        #expect(entry.summary == setting.row.summary)
        // An empty section goes without saying.
        #expect((entry.default ?? [:]).line == (setting.row.presence.json ?? [:]).line)
        #expect(entry.facts.contains("required") == (setting.row.presence == .required))
        let type = try #require(entry.facts.first)
        switch setting.row.shape.domain {
        case .durations(let range), .either(_, .durations(let range)):
            guard range.upperBound < .max else { return }
            let limits = type.split(separator: " ").last?.split(separator: "…") ?? []
            #expect(
                try limits.map { try Units.nanoseconds($0) } == [
                    range.lowerBound, range.upperBound,
                ])
        case .integers(let range):
            #expect(entry.numbers == [Double(range.lowerBound), Double(range.upperBound)])
        case .numbers(let range): #expect(entry.numbers == [range.lowerBound, range.upperBound])
        case .words(let words), .list(.words(let words), _):
            #expect(words.allSatisfy(type.contains) || type.contains("endpoint"))
        case .flag: #expect(type == "true or false")
        case .texts: #expect(type == "text")
        default: break
        }
    }

    @Test("The reference explains nothing but settings, in lines of at most 80 columns")
    func lines() {
        let text = ProfileReference.text(for: .sample)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(ReferenceEntry.all.count == KnownSetting.all.count)
    }

    @Test("Every setting is described by one sentence and no section has one twice")
    func descriptions() {
        let shapes = ArrivalShapes.format.shape
        check(Profile.settings(.sample) + shapes.inner.settings)
    }

    private func check(_ rows: [SettingRow]) {
        #expect(rows.allSatisfy { $0.summary.hasSuffix(".") && $0.summary.count <= 150 })
        #expect(Set(rows.map(\.key)).count == rows.count)
        for row in rows { check(row.shape.inner.settings) }
    }
}

@Suite("Overriding a profile")
struct ProfileOverrideTests {
    @Test("Scaling keeps proportions and reaches the total exactly", arguments: 1...50)
    func scaling(seed: Int64) throws {
        var profile = try Profile.reading(Profile.sample(population: #""name": "a""#))
        let population = profile.populations[0]
        profile.populations = (1...5).map { index in
            var other = population
            other.users = 1 + seed * Int64(index) * 7919 % 1_000
            return other
        }
        for total in [5, 6, seed * 13 + 5, 10_000_000] {
            let scaled = profile.scaled(toUsers: total)
            #expect(scaled.users == total)
            for (before, after) in zip(profile.populations, scaled.populations) {
                let exact = Double(before.users) * Double(total) / Double(profile.users)
                #expect(after.users >= 1)
                #expect(abs(Double(after.users) - exact) < 5 || total < 100)
            }
        }
        #expect(profile.scaled(toUsers: profile.users) == profile)
    }

    @Test("Stages of a closed load are scaled with their population")
    func loads() throws {
        let closed = try Profile.reading(
            Profile.sample(
                population: #""load": {"closed": {"stages": [{"users": 40, "for": "1m"}]}}"#))
        let stages = closed.scaled(toUsers: 1_000).populations[0].load
        let expected = Profile.UserStage(users: 400, nanoseconds: 60_000_000_000)
        #expect(stages == .closed(pacingNanoseconds: nil, stages: [expected]))
    }
}

/// What the reference says of one setting, read back from its text.
private struct ReferenceEntry {
    let path: String
    /// The table that it is in: of the profile, of stages of arrivals, of laws.
    let table: Int
    let facts: [String]
    let summary: String

    static let all: [ReferenceEntry] = {
        var entries: [(table: Int, head: String, summary: String)] = []
        var table = 0
        for line in ProfileReference.text(for: .sample).split(separator: "\n") {
            let words = line.trimmingPrefix { $0 == " " }
            if line.hasPrefix("    ") {
                entries[entries.count - 1].summary += " " + words
            } else if line.hasPrefix("  ") {
                entries[entries.count - 1].head += " " + words
            } else if line.hasSuffix("exactly one of these") {
                table += 1
            } else {
                entries.append((table, String(line), ""))
            }
        }
        return entries.map { table, head, summary in
            let parts = head.components(separatedBy: " · ")
            return ReferenceEntry(
                path: parts[0], table: table, facts: Array(parts.dropFirst()),
                summary: String(summary.dropFirst()))
        }
    }()

    /// The default; nil where none is said.
    var `default`: JSON? {
        facts.first { $0.hasPrefix("default ") }.flatMap { fact in
            (try? JSONParser.parse(Array(fact.dropFirst(8).utf8))).map { JSON($0) }
        }
    }

    /// The first and the last number of the range: of `1…1 000`, 1 and 1000.
    var numbers: [Double?] {
        let ends = facts.first?.split(separator: "…").map { Double($0.filter { $0 != " " }) } ?? []
        return ends.count == 1 ? ends + ends : ends
    }
}

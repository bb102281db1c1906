import SquallBackend
import SquallFormat
import SquallKernel
import TestSupport
import Testing

@testable import SquallLab

/// One setting of the table, and its part of the schema.
struct KnownSetting: CustomTestStringConvertible, Sendable {
    /// The path as the reference writes it: `populations[].load.closed.pacing`.
    let path: String
    /// The path in its table of the reference, and the number of that table.
    let entry: String
    let table: Int
    let row: SettingRow
    /// Its part of the schema, and of what the schema adds where a profile declares no app.
    let schemas: [JSONNode]
    /// The schema of the object that it is in.
    let owner: JSONNode?
    /// Where it is in a profile; an element of a list is its first.
    let place: [String]

    var testDescription: String { path }

    static let schema = JSONNode(ProfileSchema.json(for: .sample))
    static let all: [KnownSetting] = {
        let stages = schema.at("properties.populations.items.properties.load")?.objects
            .compactMap { $0.at("properties.open.properties.stages.items") }
        let laws = schema.at("$defs.distribution.oneOf")?.list.last
        let tables = [
            Table(
                number: 0, rows: Profile.settings(.sample), schemas: [schema, schema["else"]],
                place: []),
            Table(
                number: 1, rows: ArrivalShapes.format.shape.inner.settings, schemas: stages ?? [],
                place: ["populations", "0", "load", "open", "stages", "0"]),
            Table(
                number: 2, rows: Distribution.lawFormat().shape.inner.settings, schemas: [laws],
                place: ["populations", "0", "away"]),
        ]
        return tables.flatMap { $0.settings() }
    }()

    /// One table of the reference, and where a profile has it.
    private struct Table {
        let number: Int
        var rows: [SettingRow]
        var schemas: [JSONNode?]
        var place: [String]
        /// The path of the object that has the rows, with what is between it and a key.
        var prefix = ""

        func settings() -> [KnownSetting] {
            rows.flatMap { row in
                let owners = schemas.compactMap(\.self).flatMap(\.objects).filter {
                    $0["properties"]?[row.key] != nil
                }
                var inner = self
                inner.schemas = owners.map { $0["properties"]?[row.key] }
                inner.place = place + [row.key]
                let setting = KnownSetting(
                    path: number == 0
                        ? prefix + row.key
                        : "\(number == 1 ? "stages of arrivals" : "laws"): \(prefix)\(row.key)",
                    entry: prefix + row.key, table: number, row: row,
                    schemas: inner.schemas.compactMap(\.self), owner: owners.first,
                    place: inner.place)
                inner.rows = row.shape.inner.settings
                inner.prefix += row.key + row.shape.inner.joint
                while let items = inner.schemas.compactMap({ $0?["items"] }).nonEmpty {
                    inner.schemas = items
                    inner.place.append("0")
                }
                return [setting] + inner.settings()
            }
        }
    }
}

extension KnownSetting {
    /// Whether the schema allows a value.
    func isAllowed(_ value: JSON) -> Bool {
        schemas.allSatisfy {
            SchemaCheck(Self.schema).problems(of: JSONNode(value), in: $0).isEmpty
        }
    }

    /// What the reader has against a value, leaving out what depends on other settings.
    func problems(reading value: JSON?) -> [ProfileProblem] {
        let document = place.dropLast().reversed().reduce(object(with: value)) { inner, step in
            step == "0" ? .array([inner]) : .object([step: inner])
        }
        do {
            _ = try Profile.read(Array(document.document.utf8), file: "x", vocabulary: .sample)
            return []
        } catch {
            return error.problems.filter { problem in
                (problem.path == pointer || problem.path.hasPrefix(pointer + "/"))
                    && ![.contradiction, .threshold].contains(problem.label)
            }
        }
    }

    private var pointer: String { place.map { "/" + $0 }.joined() }

    /// The object that the setting is in, with it; a fault of a kind that has the setting.
    private func object(with value: JSON?) -> JSON {
        var members: [String: JSON] = [:]
        if path.hasPrefix("backend.faults[].") {
            let kind = FaultFormat.all.first { kind in
                kind.settings.shape.inner.settings.contains { $0.key == row.key }
            }
            members["kind"] = .string(kind?.name ?? "latency")
        }
        members[row.key] = value
        return .object(members)
    }
}

extension JSONNode {
    /// The schemas of the objects that a schema may be, with what holds for every object in it.
    fileprivate var objects: [JSONNode] {
        self["properties"] != nil
            ? [self] : (self["oneOf"] ?? self["anyOf"])?.list.flatMap(\.objects) ?? []
    }
}

extension SettingDomain {
    /// The simplest value that it allows.
    fileprivate var sample: JSON {
        switch self {
        case .flag: .bool(true)
        case .integers(let range): .integer(range.lowerBound)
        case .numbers(let range): .number(range.lowerBound)
        case .durations(let range): .string(Units.exact(nanoseconds: range.lowerBound))
        case .seeds, .unknown, .anything: 0
        case .texts(let count): .string(String(repeating: "a", count: max(1, count.lowerBound)))
        case .words(let words): .string(words.first ?? "")
        case .section(let rows):
            .object(Dictionary(rows.filter { $0.presence == .required }.map(\.sample)) { $1 })
        case .oneOf(let rows): .object(Dictionary(rows.prefix(1).map(\.sample)) { $1 })
        case .list(let element, let count):
            .array(Array(repeating: element.sample, count: count.lowerBound))
        case .pair(let one, let other): [one.sample, other.sample]
        case .each(let names, let value): .object([names.last ?? "": value.sample])
        case .either(let one, _): one.sample
        }
    }

    /// Values to try: right ones, and wrong ones that a schema can refuse.
    var trials: (right: [JSON], wrong: [JSON]) {
        switch self {
        case .flag: return ([.bool(true), .bool(false)], [0, "true", .null])
        case .integers(let range):
            return (
                [.integer(range.lowerBound), .integer(range.upperBound)],
                [
                    .integer(range.lowerBound - 1), .integer(range.upperBound + 1), .number(1.5),
                    "1", .bool(true),
                ]
            )
        case .numbers(let range):
            return (
                [.number(range.lowerBound), .number(range.upperBound)],
                [.number(range.lowerBound - 1e-3), .number(range.upperBound * 1.01), "1", []]
            )
        case .durations(let range):
            let ends = [range.lowerBound, min(range.upperBound, Span.year)]
            return (
                ends.map { .string(Units.exact(nanoseconds: $0)) },
                [1, "1", "5 apples", "x5s", "5s.", [:]]
            )
        case .seeds: return ([0, .unsigned(.max), "0x2a"], [-1, "0xg", .number(0.5)])
        case .texts(let count):
            let long = String(repeating: "a", count: count.upperBound + 1)
            return ([], (count.lowerBound > 0 ? [""] : []) + [.string(long), 1, .null])
        case .words(let words):
            // Of names that a profile declares itself the schema knows none.
            let wrong: [JSON] = words.isEmpty ? [] : ["no such word"]
            return (words.map(JSON.string), wrong + [1, .bool(false)])
        case .section: return ([sample], [["noSuchSetting": 1], [], "object"])
        case .oneOf: return ([sample], [[:], ["noSuchSetting": 1], [], 1])
        case .list(let element, let count):
            let few = count.lowerBound > 0 ? [JSON.array([])] : []
            let many = JSON.array(Array(repeating: element.sample, count: count.upperBound + 1))
            return ([sample], few + [[:], "list"] + (count.upperBound <= 1_000 ? [many] : []))
        case .pair: return ([sample], [[], [1], [1, 2, 3], 1])
        case .each: return ([sample], [["noSuchName": 1], [], 1])
        case .either(let one, let other):
            return (one.trials.right + other.trials.right, [.null, .bool(true)])
        case .anything: return ([.null, 1, "a", [:], []], [])
        case .unknown: return ([], [.null, .bool(true), 1])
        }
    }
}

extension SettingPresence {
    /// The default.
    var json: JSON? { if case .otherwise(let json) = self { json } else { nil } }
}

extension Array {
    fileprivate var nonEmpty: [Element]? { isEmpty ? nil : self }
}

extension SettingRow {
    fileprivate var sample: (String, JSON) { (key, shape.domain.sample) }
}

import Foundation
import SquallFormat
import SquallReport
import TestSupport
import Testing

@testable import SquallAnswers

/// What answers of capacity searches say, word by word and number by number.
@Suite("Texts of capacities")
struct CapacityTextTests {
    @Test("A capacity is told by how its search ended", arguments: CapacityCase.all)
    func capacity(of end: CapacityCase) throws {
        let common = try CapacityCase.found.answer().document.remarks
        let document = try end.answer().document
        #expect(document.remarks.contains("A note."))
        let own = document.remarks.filter { !common.contains($0) }
        let text = ([document.sentence] + own).joined(separator: "\n")
        let differences = try GoldenFile.differences(of: text, from: end.name, of: "capacity.txt")
        #expect(differences == [])
    }

    @Test(
        "A capacity shows its points, its knee and its cost",
        arguments: [CapacityCase.found, CapacityCase.busy])
    func document(of end: CapacityCase) throws {
        let answer = try end.answer()
        let text = answer.document.text(TerminalStyle(isOn: false)) + "\n" + answer.csv
        let name = end.name + ", whole"
        let differences = try GoldenFile.differences(of: text, from: name, of: "capacity.txt")
        #expect(differences == [])
    }

    @Test("A capacity in time has its column in nanoseconds")
    func time() throws {
        let pause = try #require(CapacityCase.all.first { $0.name == "pause" }).answer()
        #expect(pause.csv.hasPrefix("app.pause_ns,runs,") && pause.document.verdict == nil)
    }

    @Test("Every accepted text belongs to a capacity")
    func orphans() throws {
        let names = CapacityCase.all.map(\.name) + ["found, whole", "found, busy, whole"]
        #expect(Set(names).count == names.count)
        let orphans = try GoldenFile.orphans(of: "capacity.txt", beside: names)
        #expect(orphans == [])
    }

    @Test(
        "A capacity is enough when its whole interval is",
        arguments: [
            (390.0, nil, true), (391, nil, false), (nil, 413.0, true), (nil, 412, false),
            (nil, nil, nil),
        ] as [(Double?, Double?, Bool?)])
    func enough(least: Double?, most: Double?, isEnough: Bool?) throws {
        var answer = try CapacityCase.capacity(.init(400, low: 390, high: 413), of: 300)
        (answer.atLeast, answer.atMost) = (least, most)
        #expect(answer.isEnough == isEnough)
        var never = try CapacityCase.capacity(nil, ends: .never, of: 300)
        (never.atLeast, never.atMost) = (least, most)
        #expect(never.isEnough == false)
    }
}

/// An answer to a search, by the way that the search ended.
struct CapacityCase: CustomTestStringConvertible, Sendable {
    let name: String
    let answer: @Sendable () throws -> CapacityAnswer

    var testDescription: String { name }

    init(_ name: String, _ answer: @escaping @Sendable () throws -> CapacityAnswer) {
        self.name = name
        self.answer = answer
    }

    private static let slow = "step_duration: p(95)<2s"
    private static let lost = "sessions_lost: count==0"
    private static let interval = ConfidenceInterval(400, low: 390, high: 413)
    private static let one = ConfidenceInterval(1, low: nil, high: nil)

    static let found = CapacityCase("found") { try capacity(interval, of: 300) }
    static let busy = CapacityCase("found, busy") { try capacity(interval, of: 300, busy: 0.95) }
    static let all: [CapacityCase] = ends + neighbours + fits

    private static let ends: [CapacityCase] = [
        busy,
        CapacityCase("found, less than today") { try capacity(interval, of: 500, busy: 0.4) },
        CapacityCase("one user") {
            try capacity(.init(1, low: 1, high: 2), of: 1, points: [])
        },
        CapacityCase("bracketed") { try capacity(interval, ends: .bracketed, of: 400) },
        CapacityCase("workers, found") {
            try capacity(interval, "workers", .moreIsBetter, of: 300)
        },
        CapacityCase("workers, always") {
            try capacity(one, "workers", .moreIsBetter, ends: .always, of: 2)
        },
        CapacityCase("always") { try capacity(interval, ends: .always, of: 400) },
        CapacityCase("one alone, always") { try capacity(one, ends: .always, of: 1) },
        CapacityCase("workers, bracketed") {
            try capacity(one, "workers", .moreIsBetter, ends: .bracketed, of: 3)
        },
        CapacityCase("never") { try capacity(nil, ends: .never, of: 400) },
        CapacityCase("never, one point") {
            try capacity(nil, ends: .never, of: 400, points: [1])
        },
        CapacityCase("pause") {
            try capacity(.init(2e9, low: 1.9e9, high: 2.2e9), "pause", of: 3e9)
        },
    ]

    private static let neighbours: [CapacityCase] = [
        ("users", CapacityDirection.moreIsWorse), ("workers", .moreIsBetter),
        ("sessions/s", .moreIsWorse),
    ].flatMap { noun, direction in
        [(true, 2.0), (false, 401)].map { isSure, value in
            CapacityCase("\(noun) beside \(Int(value))") {
                var answer = try capacity(
                    isSure ? one : interval, noun, direction, ends: .bracketed, of: 300)
                answer.neighbour = .init(value: value, isSure: isSure)
                return answer
            }
        }
    }

    private static let fits: [CapacityCase] = [0.07, nil].map { spread in
        CapacityCase(spread == nil ? "fitted, not counted" : "fitted, counted") {
            var answer = try capacity(interval, of: 300)
            answer.fitted = .init(runs: .init(400, low: 398, high: 402), ends: [1, 2, 3])
            answer.fitted?.spread = spread
            return answer
        }
    }

    /// An answer about a setting, with points around 400 of which one ended early.
    static func capacity(
        _ capacity: ConfidenceInterval?, _ noun: String = "users",
        _ direction: CapacityDirection = .moreIsWorse,
        ends outcome: CapacityAnswer.Outcome = .found,
        of today: Double, busy: Double? = nil, points: [Double] = [200, 400, 600]
    ) throws -> CapacityAnswer {
        let varied = ["sessions/s": "rate", "pause": "app.pause"][noun] ?? noun
        return CapacityAnswer(
            profile: "shop", experiment: "How much?", varied: varied, noun: noun,
            unit: ["sessions/s": .number, "pause": .nanoseconds][noun] ?? .count,
            direction: direction, outcome: outcome, capacity: capacity, neighbour: nil,
            binding: outcome == .always || busy == 0.4 ? nil : slow,
            resource: busy.map { Resource(name: "the server's workers", busy: $0) }, today: today,
            atLeast: nil, atMost: nil, measurementWindow: "Each replication is a whole run.",
            transient: busy == nil
                ? nil
                : .init(
                    series: [Drift(series: "steps_running", early: 4, late: 8)],
                    option: "--set warmUp.for=1m"),
            ownWarmUpNanoseconds: busy == nil ? 90_000_000_000 : nil,
            points: points.map { point($0, isHeld: $0 < 500) },
            asymptoticKnee: busy.map { _ in 444 },
            scalability: try busy.map { busy in
                let beta = busy > 0.5 ? "1e-5" : "1e-9"
                let law = #"{"gamma":1.5,"alpha":0.02,"beta":\#(beta),"largestResidual":0.03,"#
                return try JSONDecoder().decode(
                    UniversalScalability.self, from: Data((law + #""explained":0.99876}"#).utf8))
            }, contradictions: Array([450, 460].prefix(busy == nil ? 0 : busy == 0.4 ? 1 : 2)),
            notes: ["A note."], fitted: nil, precision: busy == 0.4 ? 0.01 : 0.05,
            replications: 1_234, requests: 5_678_901, seeds: Array(1...(busy == nil ? 3 : 4)),
            replay: "squall capacity shop.json")
    }

    private static func point(_ value: Double, isHeld: Bool) -> CapacityPoint {
        let isWhole = value < 600
        return CapacityPoint(
            value: value, replications: 5, stopped: isWhole ? 0 : 2, holds: isHeld,
            thresholds: [
                .init(
                    threshold: slow, observed: 1.5e9, unit: .nanoseconds, limitUsed: value / 500,
                    holds: isHeld),
                .init(
                    threshold: lost, observed: 0, unit: .count, limitUsed: nil, holds: isWhole),
                .init(
                    threshold: "hangs: count==0", observed: nil, unit: nil, limitUsed: nil,
                    holds: true),
            ], goodput: isWhole ? value / 7 : nil, p95: isWhole ? value * 3e6 : nil,
            failed: isWhole ? value / 1e5 : nil, busy: isWhole ? value / 450 : nil)
    }
}

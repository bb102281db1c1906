import Foundation
import SquallFormat
import SquallReport
import TestSupport
import Testing

@testable import SquallLab

/// What answers of searches and sweeps say, word by word and number by number.
@Suite("Texts of answers")
struct AnswerTextTests {
    private static let slow = "step_duration: p(95)<2s"
    private static let lost = "sessions_lost: count==0"

    @Test("A capacity is told with what it rests on, however its search ended")
    func capacity() throws {
        let found = ConfidenceInterval(400, low: 390, high: 413)
        let one = ConfidenceInterval(1, low: nil, high: nil)
        var answers: [(String, CapacityAnswer)] = [
            ("found, busy", try Self.capacity(found, of: 300, busy: 0.95)),
            ("found, less than today", try Self.capacity(found, of: 500, busy: 0.4)),
            ("one user", try Self.capacity(.init(1, low: 1, high: 2), of: 1, points: [])),
            ("bracketed", try Self.capacity(found, ends: .bracketed, of: 400)),
            ("workers, found", try Self.capacity(found, "workers", .moreIsBetter, of: 300)),
            (
                "workers, always",
                try Self.capacity(one, "workers", .moreIsBetter, ends: .always, of: 2)
            ),
            ("always", try Self.capacity(found, ends: .always, of: 400)),
            ("one alone, always", try Self.capacity(one, ends: .always, of: 1)),
            (
                "workers, bracketed",
                try Self.capacity(one, "workers", .moreIsBetter, ends: .bracketed, of: 3)
            ),
            ("never", try Self.capacity(nil, ends: .never, of: 400)),
            ("never, one point", try Self.capacity(nil, ends: .never, of: 400, points: [1])),
            ("pause", try Self.capacity(.init(2e9, low: 1.9e9, high: 2.2e9), "pause", of: 3e9)),
        ]
        for (isSure, value) in [(true, 2.0), (false, 401)] {
            for (noun, direction) in [
                ("users", CapacityDirection.moreIsWorse), ("workers", .moreIsBetter),
                ("sessions/s", .moreIsWorse),
            ] {
                var answer = try Self.capacity(
                    value == 2 ? one : found, noun, direction, ends: .bracketed, of: 300)
                answer.neighbour = .init(value: value, isSure: isSure)
                answers.append(("\(noun) beside \(Int(value))", answer))
            }
        }
        for other in [100.0, 900] {
            var answer = try Self.capacity(found, "cache", .neither, of: 300)
            answer.otherEnd = .init(other, low: other - 10, high: other + 10)
            answer.otherBinding = Self.lost
            answers.append(("a span", answer))
        }
        for spread in [0.07, nil] {
            var answer = try Self.capacity(found, of: 300)
            answer.fitted = .init(runs: .init(400, low: 398, high: 402), ends: [1, 2, 3])
            answer.fitted?.spread = spread
            answers.append(("fitted", answer))
        }
        let texts = answers.map { name, answer in
            let enough = answer.isEnough.map { $0 ? "enough" : "not enough" } ?? "nothing asked"
            return "## \(name): \(enough)\n" + answer.document.text(TerminalStyle(isOn: false))
        }
        let text = texts.joined(separator: "\n") + "\n" + answers[0].1.csv + answers[11].1.csv
        #expect(try text == GoldenFile.accepted("capacity.txt", for: text))
    }

    @Test(
        "It is enough when its whole interval is",
        arguments: [
            (390.0, nil, true), (391, nil, false), (nil, 413.0, true), (nil, 412, false),
            (nil, nil, nil),
        ] as [(Double?, Double?, Bool?)])
    func enough(least: Double?, most: Double?, isEnough: Bool?) throws {
        var answer = try Self.capacity(.init(400, low: 390, high: 413), of: 300)
        (answer.atLeast, answer.atMost) = (least, most)
        #expect(answer.isEnough == isEnough)
        var never = try Self.capacity(nil, ends: .never, of: 300)
        (never.atLeast, never.atMost) = (least, most)
        #expect(never.isEnough == false)
    }

    /// An answer about a setting, with points around 400 of which one ended early.
    private static func capacity(
        _ capacity: ConfidenceInterval?, _ noun: String = "users",
        _ direction: CapacityDirection = .moreIsWorse,
        ends outcome: CapacityAnswer.Outcome = .found,
        of today: Double, busy: Double? = nil, points: [Double] = [200, 400, 600]
    ) throws -> CapacityAnswer {
        let varied = ["sessions/s": "rate", "pause": "app.pause"][noun] ?? noun
        return CapacityAnswer(
            profile: "shop", experiment: "How much?", varied: varied, noun: noun,
            unit: ["sessions/s": .number, "cache": .number, "pause": .nanoseconds][noun] ?? .count,
            direction: direction, outcome: outcome, capacity: capacity, neighbour: nil,
            binding: outcome == .always || busy == 0.4 ? nil : slow, otherEnd: nil,
            otherBinding: nil,
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

    // MARK: Sweeps

    @Test("A sweep tells its extremes, what recovers, and every number with its interval")
    func sweeps() throws {
        let one = Self.sweep([("users", [100, 200, 300])], [7.5, nil, 2.5])
        let same = Self.sweep([("users", [100, 200])], [3, 3])
        let peak = Self.sweep(
            [("rate", [10, 20])], [4, 5], figure: "refresh_rate max", expected: [3, nil],
            drawsFitted: true)
        let lost = Self.sweep(
            [("users", [100, 200]), ("think", [1e9, 2e9])], [1, 2, 3, 4], figure: Sweep.recovery,
            good: [true, true, false, nil])
        let whole = Self.sweep(
            [("users", [100, 200])], [1, 2], figure: Sweep.recovery, good: [true, nil])
        let none = Self.sweep([("users", [100, 200])], [nil, nil])
        let expected = Self.sweep(
            [("users", [100, 200, 300])], [7.5, 5, 2.5], broken: [[], [1], [0, 1]])
        let text = [one, same, peak, lost, whole, none, expected].map {
            $0.document.text(TerminalStyle(isOn: false)) + "\n" + $0.csv
        }.joined(separator: "\n")
        #expect(try text == GoldenFile.accepted("sweeps.txt", for: text))
    }

    @Test("A map is as dark as its numbers are high, and half dark where they are judged")
    func map() {
        func shades(_ values: [Double?], good: [Bool?] = []) -> [Double] {
            let sweep = Self.sweep(
                [("users", [100, 200]), ("think", [1e9, 2e9])], values, good: good)
            return sweep.document.sections.flatMap(\.blocks).flatMap { block -> [Double] in
                guard case .picture(let map as AnswerMap) = block else { return [] }
                return map.cells.joined().map(\.shade)
            }
        }
        #expect(shades([1, 2, 4, nil]) == [0.25, 0.5, 1, 1])
        #expect(shades([0, 0, 0, 0]) == [0, 0, 0, 0])
        #expect(shades([1, 2, 4, 8], good: [true, false, nil, nil]) == [0.5, 0.5, 0.5, 1])
    }

    @Test("A sweep's chart has a line for the closed form where that applies, and else none")
    func closedForm() {
        func lines(_ expected: [Double?]) -> [[String]] {
            let sweep = Self.sweep(
                [("rate", [10, 20])], [4, 5], figure: "refresh_rate max", expected: expected)
            return sweep.document.sections.flatMap(\.blocks).compactMap { block in
                guard case .picture(let chart as AnswerChart) = block else { return nil }
                return chart.series.map(\.name)
            }
        }
        #expect(lines([3, nil]) == [["refresh_rate max", "closed form"]])
        #expect(lines([]) == [["refresh_rate max"]])
    }

    /// A sweep of one figure over one setting or two, place by place.
    private static func sweep(
        _ axes: [(String, [Double])], _ values: [Double?],
        figure: String = "step_duration{app:shop} p(95)", good: [Bool?] = [],
        expected: [Double?] = [], broken: [[Int]] = [], drawsFitted: Bool = false
    ) -> SweepAnswer {
        let places = axes.reduce([[]]) { places, axis in
            places.flatMap { place in axis.1.map { place + [$0] } }
        }
        return SweepAnswer(
            profile: "shop", experiment: "What?",
            axes: axes.map { name, values in
                .init(
                    name: name, values: values,
                    texts: values.map { name == "think" ? "\(Int($0 / 1e9))s" : "\(Int($0))" })
            }, figures: [figure],
            points: places.enumerated().map { index, place in
                let value = values[index]
                return .init(
                    values: place,
                    figures: [
                        .init(
                            unit: value.map { _ in .number },
                            estimate: value.map { .init($0, low: $0 - 0.5, high: $0 + 0.5) },
                            replications: 3, text: value.map { "\($0)" } ?? "–",
                            isGood: good.isEmpty ? nil : good[index])
                    ], broken: broken.isEmpty ? [] : broken[index],
                    expectedRefreshPeak: expected.isEmpty ? nil : expected[index])
            }, thresholds: broken.isEmpty ? [] : [slow, lost], replications: 3, requests: 12_345,
            measurementWindow: "Each replication is a whole run.", drawsFitted: drawsFitted,
            replay: "squall sweep shop.json")
    }
}

import SquallFormat
import SquallReport
import TestSupport
import Testing

@testable import SquallAnswers
@testable import SquallLab

/// What answers of sweeps say, word by word and number by number.
@Suite("Texts of sweeps")
struct SweepTextTests {
    @Test("A sweep tells its extremes, what recovers, and each point", arguments: SweepCase.all)
    func sweep(of sweep: SweepCase) throws {
        var document = sweep.answer.document
        #expect(document.facts.map(\.name).starts(with: ["points", "replications per point"]))
        if sweep.name != "one setting" { document.facts = [] }
        let text = document.text(TerminalStyle(isOn: false)) + "\n" + sweep.answer.csv
        let differences = try GoldenFile.differences(of: text, from: sweep.name, of: "sweeps.txt")
        #expect(differences == [])
    }

    @Test("Every accepted text belongs to a sweep")
    func orphans() throws {
        let names = SweepCase.all.map(\.name)
        let orphans = try GoldenFile.orphans(of: "sweeps.txt", beside: names)
        #expect(orphans == [])
    }

    @Test("A map is as dark as its numbers are high, and half dark where they are judged")
    func map() {
        func shades(_ values: [Double?], good: [Bool?] = []) -> [Double] {
            let sweep = SweepCase.sweep(
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
            let sweep = SweepCase.sweep(
                [("rate", [10, 20])], [4, 5], figure: "refresh_rate max", expected: expected)
            return sweep.document.sections.flatMap(\.blocks).compactMap { block in
                guard case .picture(let chart as AnswerChart) = block else { return nil }
                return chart.series.map(\.name)
            }
        }
        #expect(lines([3, nil]) == [["refresh_rate max", "closed form"]])
        #expect(lines([]) == [["refresh_rate max"]])
    }

    @Test("The peak of refreshes has a closed form where pauses are short beside it")
    func pauses() throws {
        func peak(thinking: String) throws -> Double? {
            let text = """
                { "schemaVersion": 1, "duration": "20m",
                  "populations": [ { "app": "scrolly", "users": 600, "journeys": { "read": 1 },
                    "thinkTime": "\(thinking)", "away": "0s", "arriveOver": "1m",
                    "initialTokens": "fresh" } ],
                  "backend": { "tokens": { "accessLifetime": "10m" } } }
                """
            return try Profile.reading(Array(text.utf8), file: "x", vocabulary: .installed)
                .profile.expectedRefreshPeak
        }
        #expect(try peak(thinking: "20s") == 10)
        #expect(try peak(thinking: "21s") == nil)
    }
}

/// A sweep with something of its own to tell.
struct SweepCase: CustomTestStringConvertible, Sendable {
    let name: String
    let answer: SweepAnswer

    var testDescription: String { name }

    static let all: [SweepCase] = [
        SweepCase(
            name: "one setting",
            answer: sweep([("users", [100, 200, 300])], [7.5, nil, 2.5])),
        SweepCase(name: "no effect", answer: sweep([("users", [100, 200])], [3, 3])),
        SweepCase(
            name: "a closed form beside it",
            answer: sweep(
                [("rate", [10, 20])], [4, 5], figure: "refresh_rate max", expected: [3, nil],
                drawsFitted: true)),
        SweepCase(
            name: "two settings, no recovery",
            answer: sweep(
                [("users", [100, 200]), ("think", [1e9, 2e9])], [1, 2, 3, 4],
                figure: Sweep.recovery, good: [true, true, false, nil])),
        SweepCase(
            name: "recovery everywhere",
            answer: sweep(
                [("users", [100, 200])], [1, 2], figure: Sweep.recovery, good: [true, nil])),
        SweepCase(name: "no value", answer: sweep([("users", [100, 200])], [nil, nil])),
        SweepCase(
            name: "broken thresholds",
            answer: sweep(
                [("users", [100, 200, 300])], [7.5, 5, 2.5], broken: [[], [1], [0, 1]])),
    ]

    /// A sweep of one figure over one setting or two, place by place.
    static func sweep(
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
            },
            thresholds: broken.isEmpty
                ? [] : ["step_duration: p(95)<2s", "sessions_lost: count==0"], replications: 3,
            requests: 12_345,
            measurementWindow: "Each replication is a whole run.", drawsFitted: drawsFitted,
            replay: "squall sweep shop.json")
    }
}

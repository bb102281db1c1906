import SquallFormat
import SquallKernel
import SquallReport
import Testing

@testable import SquallAnswers

@Suite("Texts of a comparison")
struct ComparisonWordsTests {
    /// One of two designs, with its figures by seed from 1.
    private func side(
        _ figures: [(String, NumberUnit, [Double])], seedsFrom first: UInt64 = 1
    ) -> ComparisonSide {
        let seeds = (figures.first?.2.indices ?? 0..<0).map { first + UInt64($0) }
        return ComparisonSide(
            "side", seeds: seeds,
            figures: figures.map { FigureSeries(name: $0.0, unit: $0.1, values: $0.2) })
    }

    private func answer(
        _ a: [(String, NumberUnit, [Double])], _ b: [(String, NumberUnit, [Double])]
    ) -> ComparisonAnswer {
        ComparisonAnswer(side(a), side(b), gates: [], replay: "")
    }

    private func figure(_ name: String, of answer: ComparisonAnswer) throws -> PairedDifference {
        try #require(answer.differences.first { $0.name == name })
    }

    /// A number of the standard normal law, near enough: the sum of twelve uniform ones.
    private func normal(_ stream: RandomStream, _ index: Int) -> Double {
        (0..<12).reduce(-6.0) { $0 + stream.unit(at: UInt64(12 * index + $1)) }
    }

    @Test("No difference of shares is above 100 points, and one of nothing has no share")
    func impossible() throws {
        let always = try #require(
            PairedDifference("x", .number, [(0, 2.5), (0, 2.5), (0, 2.5)].map { ($0.0, $0.1) }))
        #expect(always.detectable == 0 && always.detectableText == nil)
        #expect(!always.clause.contains("nan"))
        let wide = try #require(
            PairedDifference("passed", .share, [(0, 1), (1, 0), (0, 1)].map { ($0.0, $0.1) }))
        #expect(try #require(wide.detectable) > 1 && wide.detectableText == nil)
        #expect(NumberUnit.share.difference(77.08) == "100 pp")
        #expect(NumberUnit.share.difference(-0.5) == "-50 pp")
    }

    @Test(
        "Small counts of equal designs differ in a twentieth of the tables at most",
        arguments: [2, 3, 5, 10])
    func smallCounts(pairs: Int) throws {
        let stream = RandomStream(seed: 11).stream("counts").stream(number: UInt64(pairs))
        // A count of twenty rare events: the most that are under way, refreshes in a second.
        func count(_ index: Int) -> Double {
            Double((0..<20).count { stream.unit(at: UInt64(20 * index + $0)) < 0.1 })
        }
        let probabilities = try (0..<2_000).map { table in
            let numbers = (0..<pairs).map { 2 * (pairs * table + $0) }
            let pair = PairedDifference(
                "x", .count, numbers.map { (a: count($0), b: count($0 + 1)) })
            return try #require(pair).probability ?? 1
        }
        for figures in [1.0, 14] {
            let found = probabilities.count { $0 * figures < PairedDifference.significance }
            #expect(Double(found) / 2_000 < 0.06 / figures + 0.001, "\(figures) figures")
        }
    }

    @Test("A difference that is not significant says how large a detectable one is")
    func silence() throws {
        let (a, b) = ([100.0, 102, 98, 101, 99], [101.0, 101, 99, 100, 100])
        let answer = answer(
            [("step_duration p(95)", .nanoseconds, a)], [("step_duration p(95)", .nanoseconds, b)])
        let sentence = answer.document.text(TerminalStyle(isOn: false))
        #expect(sentence.contains("No significant difference with 5 pairs of runs"))
        #expect(sentence.contains("(80 % power)"))
        #expect(!sentence.contains("chance explains all"))
    }

    @Test(
        "A difference as large as would be seen is seen in about 80 of 100 tables",
        arguments: [(4, 1), (5, 20)])
    func power(pairs: Int, figures: Int) throws {
        let root = RandomStream(seed: 7).stream("power")
        func table(_ number: Int, shift: Double) throws -> PairedDifference {
            let stream = root.stream(number: UInt64(number))
            return try #require(
                PairedDifference(
                    "x", .number, (0..<pairs).map { (0, shift + normal(stream, $0)) }))
        }
        let seen = try (0..<500).map {
            try table($0, shift: 0).detectable(amongFigures: figures) ?? 0
        }
        let shown = try (500..<1_500).count {
            // Holm's first step multiplies by the number of figures.
            let probability = try table($0, shift: seen.mean).probability ?? 1
            return probability * Double(figures) < PairedDifference.significance
        }
        #expect((755...870).contains(shown))
    }

    @Test("A probability has a floor, in words and as a number")
    func floor() throws {
        let (a, b) = ([1.0, 2, 3, 4], [100.001, 101, 102, 103])
        let answer = answer([("requests count", .count, a)], [("requests count", .count, b)])
        let figure = try figure("requests count", of: answer)
        #expect(figure.probability == 0.0001 && figure.corrected == 0.0001)
        #expect(answer.document.text(TerminalStyle(isOn: false)).contains("<0.0001"))
    }

    @Test(
        "A share that falls because its whole grew is not better, and says so",
        arguments: [[10, 11, 9, 11], [10, 11, 9, 9], [10, 11, 9, 10]] as [[Double]])
    func dilution(after: [Double]) throws {
        let failed = [10.0, 11, 9, 10]
        let rates = failed.map { $0 / 100 }
        let answer = answer(
            [("request_failed rate", .share, rates), ("request_failed count", .count, failed)],
            [
                ("request_failed rate", .share, rates.map { $0 / 2 }),
                ("request_failed count", .count, after),
            ])
        let share = try figure("request_failed rate", of: answer)
        #expect(share.isDistinct && share.isBetter == nil && share.dilution == .wholeGrew)
        #expect(answer.document.text(TerminalStyle(isOn: false)).contains("not because fewer fail"))
    }

    @Test("Retries that repair expired responses are not worse, and others are")
    func repairs() throws {
        let (few, many) = ([10.0, 11, 9, 10], [60.0, 61, 59, 60])
        func retries(repairing repaired: [Double]) throws -> PairedDifference {
            let answer = answer(
                [("retries count", .count, few), ("expired_repaired count", .count, few)],
                [("retries count", .count, many), ("expired_repaired count", .count, repaired)])
            let isSaid = answer.document.text(TerminalStyle(isOn: false)).contains("repeats calls")
            let figure = try figure("retries count", of: answer)
            #expect(isSaid == (figure.dilution == .repairs))
            return figure
        }
        let repairing = try retries(repairing: many)
        #expect(repairing.isDistinct && repairing.isBetter == nil)
        #expect(try retries(repairing: few).isBetter == false)
    }

    @Test("A share that falls with what it counts is better")
    func better() throws {
        let answer = answer(
            [
                ("request_failed rate", .share, [0.10, 0.11, 0.09, 0.10]),
                ("request_failed count", .count, [10, 11, 9, 10]),
            ],
            [
                ("request_failed rate", .share, [0.05, 0.055, 0.045, 0.05]),
                ("request_failed count", .count, [5, 5.5, 4.5, 5]),
            ])
        let share = try figure("request_failed rate", of: answer)
        #expect(share.isBetter == true && share.dilution == nil)
    }

    @Test("A difference of shares is in percentage points, and never a percentage of them")
    func points() {
        let answer = answer(
            [("step_failed rate", .share, [0.10, 0.11, 0.09, 0.10])],
            [("step_failed rate", .share, [0.05, 0.054, 0.045, 0.05])])
        let text = answer.document.text(TerminalStyle(isOn: false))
        #expect(text.contains("-5.02 pp") && text.contains("goes from 10 % to 4.98 %"))
    }

    @Test(
        "A figure that is equal in every pair or repeats another is not counted in the correction")
    func family() throws {
        let (a, b) = ([100.0, 103, 98, 101, 99], [103.0, 105, 103, 102, 104])
        let alone = answer([("requests count", .count, a)], [("requests count", .count, b)])
        let zeros = [0.0, 0, 0, 0, 0]
        func many(_ values: [Double]) -> [(String, NumberUnit, [Double])] {
            [
                ("requests count", .count, values), ("hangs count", .count, zeros),
                ("steps rate", .perSecond, values.map { $0 / 60 }),
                ("sessions_lost count", .count, zeros),
            ]
        }
        let together = answer(many(a), many(b))
        let (one, other) = (
            try figure("requests count", of: alone), try figure("requests count", of: together)
        )
        #expect(one.corrected == other.corrected && one.isDistinct)
        #expect(try figure("steps rate", of: together).corrected == one.corrected)
        #expect(try figure("hangs count", of: together).corrected == nil)
    }

    @Test("A figure with the same change and a wider interval is a figure of its own")
    func twoFigures() throws {
        let (a, b) = ([100.0, 103, 98, 101, 99], [103.0, 105, 103, 102, 104])
        // The same means, so that the share is the same, with the pairs in another order.
        let mixed = [104.0, 102, 103, 105, 103]
        let answer = answer(
            [("requests count", .count, a), ("steps rate", .perSecond, a)],
            [("requests count", .count, b), ("steps rate", .perSecond, mixed)])
        let (one, other) = (
            try figure("requests count", of: answer), try figure("steps rate", of: answer)
        )
        #expect(!one.saysTheSame(as: other) && one.saysTheSame(as: one))
        #expect(one.corrected != one.probability || other.corrected != other.probability)
    }

    @Test("Equal pairs are the same, one pair alone cannot tell")
    func clauses() throws {
        func clause(_ pairs: [(Double, Double)]) throws -> String {
            try #require(PairedDifference("hangs count", .count, pairs)).clause
        }
        #expect(try clause([(1, 1), (2, 2)]).hasSuffix("of hangs is identical"))
        #expect(try clause([(1, 1)]).hasPrefix("no significant difference in"))
        #expect(try clause([(1, 1), (1, 2), (2, 2)]).contains("smallest detectable"))
        func end(_ factor: Double) throws -> String {
            let pairs = [100, 101, 99, 100].map { (100.0, $0 * factor) }
            return try String(clause(pairs).split(separator: "of hangs ")[1])
        }
        #expect(try end(0.9) == "is 10 % lower")
        #expect(try end(1.2) == "is 20 % higher")
        #expect(try end(3) == "is 3 times as high")
        #expect(try end(0.25) == "drops by 75 %")
    }

    @Test("A figure that became worse is named although three improved more")
    func worseIsNamed() throws {
        let (few, many) = ([10.0, 11, 9, 10], [100.0, 101, 99, 100])
        let names = ["refreshes count", "retries count", "requests count", "hangs count"]
        let sentence = answer(
            names.map { ($0, .count, many) } + [("step_duration p(95)", .nanoseconds, many)],
            names.map { ($0, .count, few) }
                + [("step_duration p(95)", .nanoseconds, many.map { $0 * 1.3 })]
        ).document.sentence
        #expect(sentence.contains("worse: the p95 step duration is 30 % higher"), "\(sentence)")
        #expect(sentence.contains("better: the number of hangs drops by 90 %"), "\(sentence)")
    }

    @Test(
        "A number that follows its base is neither better nor worse, and one per base is judged",
        arguments: [
            (1.17, 1.17, nil), (0.55, 0.552, nil), (1.17, 1, false), (0.8, 0.5, false),
            (1.2, 1.5, true), (0.8, 1, true),
        ] as [(Double, Double, Bool?)])
    func base(number: Double, steps: Double, isBetter: Bool?) throws {
        let values = [100.0, 103, 98, 101, 99]
        func of(_ factor: Double) -> [Double] {
            zip(values, [0, 0.1, 0, 0.1, 0]).map { $0 * factor + $1 }
        }
        func figures(_ number: Double, _ steps: Double) -> [(String, NumberUnit, [Double])] {
            [("requests count", .count, of(number)), ("steps count", .count, of(steps))]
        }
        let gates = try ["requests count worse", "requests count better"].map {
            try ComparisonGate($0)
        }
        let answer = ComparisonAnswer(
            side(figures(1, 1)), side(figures(number, steps)), gates: gates, replay: "")
        #expect(try figure("requests count", of: answer).isBetter == isBetter)
        #expect(answer.gates.map { !$0.holds } == [isBetter == false, isBetter == true])
        let text = answer.document.text(TerminalStyle(isOn: false), width: 400)
        #expect(text.contains("follows the number of steps") == (isBetter == nil))
    }

    @Test("The first words are about what matters most, and what cannot be seen is not worse")
    func matters() throws {
        func figures(_ factors: [Double]) -> [(String, NumberUnit, [Double])] {
            let units: [(String, NumberUnit, Double)] = [
                ("step_duration p(95)", .nanoseconds, 200e6), ("server_busy", .share, 0.00846),
                ("refreshes_redundant count", .count, 877), ("step_failed rate", .share, 0.12),
            ]
            return zip(units, factors).map { unit, factor in
                (unit.0, unit.1, [1, 1.001, 0.999, 1].map { $0 * unit.2 * factor })
            }
        }
        let answer = answer(figures([1, 1, 1, 1]), figures([1.26, 1.05, 0, 1.0004]))
        #expect(answer.document.sentence.contains("better: the number of redundant refreshes goes"))
        let decisions = try ["step_duration p(95)", "server_busy", "step_failed rate"].map {
            try figure($0, of: answer).isBetter
        }
        #expect(decisions == [false, nil, nil])
    }

    @Test("What changes by less than half a percent is too small, and never worse")
    func tooSmall() throws {
        func figures(_ factor: Double) -> [(String, NumberUnit, [Double])] {
            let values = [1e9, 1.4e9, 1.2e9]
            return [("step_duration avg", .nanoseconds, values.map { ($0 * factor).rounded() })]
        }
        let small = answer(figures(1), figures(1.004))
        #expect(try figure("step_duration avg", of: small).decision == .tooSmall)
        #expect(small.document.sentence.hasPrefix("No difference that matters with 3 pairs"))
        let large = answer(figures(1), figures(1.006))
        #expect(try figure("step_duration avg", of: large).decision == .worse)
        #expect(large.document.sentence.contains("worse: the mean step duration is 0.6 % higher"))
        // Of a share near all, what is left counts.
        let goals = [0.998, 0.999, 0.9985]
        let fewer = answer(
            [("recovery ok", .share, goals)],
            [("recovery ok", .share, goals.map { $0 - 0.001 })])
        #expect(try figure("recovery ok", of: fewer).isLarge)
    }

    @Test("A condition of --fail-if says whether it is met, and no row is called passed alone")
    func gates() throws {
        let figures = [("step_duration p(95)", NumberUnit.nanoseconds, [1e6, 2e6, 3e6])]
        let slow = [("step_duration p(95)", NumberUnit.nanoseconds, [9e6, 10.1e6, 11e6])]
        func told(_ b: [(String, NumberUnit, [Double])]) throws -> String {
            try ComparisonAnswer(
                side(figures), side(b), gates: [ComparisonGate("p95 worse by 10%")], replay: ""
            ).document.remarks.first ?? ""
        }
        #expect(
            try told(figures) == "--fail-if 'p95 worse by 10%' is not met:"
                + " the p95 step duration is identical.")
        #expect(try told(slow).hasPrefix("--fail-if 'p95 worse by 10%' is met: the p95 step"))
        #expect(KeyMetrics.rowName("passed") == "runs that meet every threshold")
    }

    @Test("The chart has the figures that A has some of and that chance may tell apart")
    func chart() {
        func isDrawn(_ a: [Double], _ b: [Double]) -> Bool {
            answer([("hangs count", .count, a)], [("hangs count", .count, b)])
                .document.sections.contains { $0.title == "B relative to A" }
        }
        #expect(isDrawn([2, 3, 4], [5, 5, 7]) && isDrawn([0, 0, 1], [5, 5, 7]))
        #expect(!isDrawn([0, 0, 0], [5, 5, 7]) && !isDrawn([-1, -2, -3], [5, 5, 7]))
        #expect(!isDrawn([2, 3, 4], [2, 3, 4]) && !isDrawn([2], [5]))
    }

    @Test("Runs without a partner are counted", arguments: [(1, 2, "is"), (2, 3, "are")])
    func partners(first: UInt64, count: Int, verb: String) {
        let values = Array(repeating: 1.0, count: count)
        let figures = [("requests count", NumberUnit.count, values)]
        let others = [("requests count", NumberUnit.count, values + [2])]
        let answer = ComparisonAnswer(
            side(figures), side(others, seedsFrom: 2), gates: [], replay: "")
        let shared = count - 1
        #expect(
            answer.notes.contains {
                $0.hasPrefix("Only \(shared) seed\(shared == 1 ? "" : "s") \(verb) in both; ")
                    && $0.contains("the other \(2 * count + 1 - 2 * shared) runs have no partner")
            }, "\(answer.notes)")
    }

    @Test("Sides without a common seed make no pair")
    func stranger() {
        let figures = [("requests count", NumberUnit.count, [1.0, 2])]
        let answer = ComparisonAnswer(
            side(figures), side(figures, seedsFrom: 10), gates: [], replay: "")
        let text = answer.document.text(TerminalStyle(isOn: false))
        #expect(text.contains("There is no pair: A and B have no seed in common."))
        #expect(text.contains("A has the seeds 1, 2 and B 10, 11"))
        #expect(!text.contains("One pair"))
    }
}

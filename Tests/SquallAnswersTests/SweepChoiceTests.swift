import SquallFormat
import SquallReport
import Testing

@testable import SquallAnswers

@Suite("The value that a sweep recommends")
struct SweepChoiceTests {
    private static let thresholds = ["step_duration: p(95)<2s", "sessions_lost: count==0"]

    /// A sweep whose places break the thresholds of these positions.
    private func sweep(
        _ name: String, _ texts: [String], _ values: [Double], broken: [[Int]],
        undecided: Set<Double> = [], waits: [Double] = [1, 1, 1], isSame: Bool = false
    ) -> SweepAnswer {
        SweepAnswer(
            profile: "p", experiment: "", axes: [.init(name: name, values: values, texts: texts)],
            figures: ["refreshes count", "step_duration p(95)"],
            points: zip(zip(values, broken), waits).map { place, wait in
                let count = 600 / (isSame ? 10 : place.0)
                return .init(
                    values: [place.0],
                    figures: [
                        .init(
                            unit: .count, estimate: .init(count, low: nil, high: nil),
                            replications: 3, text: "\(Int(count))"),
                        .init(
                            unit: .nanoseconds,
                            estimate: .init(wait, low: wait * 0.99, high: wait * 1.01),
                            replications: 3, text: "\(wait) s"),
                    ], broken: place.1, undecided: undecided.contains(place.0) ? [0] : [])
            }, thresholds: Self.thresholds, replications: 3, requests: 1, measurementWindow: "",
            drawsFitted: false, replay: "")
    }

    private func choice(
        _ broken: [[Int]], of name: String = "users", undecided: Set<Double> = [],
        waits: [Double] = [1, 1, 1]
    ) -> String? {
        let texts = ["10", "20", "30"]
        return SweepChoice(
            of: sweep(
                name, texts, [10, 20, 30], broken: broken, undecided: undecided, waits: waits)
        ).sentence
    }

    private static let lifetime = "backend.tokens.accessLifetime"

    @Test(
        "A sweep recommends the shortest token lifetime that meets every threshold, with its cost")
    func lifetime() {
        #expect(
            choice([[], [], []], of: Self.lifetime)
                == "Take access lifetime 10, the shortest that is shown to meet every threshold"
                + " (the shortest tried; add shorter ones to --vary): a stolen token is valid for"
                + " no longer. 10 costs 60 refreshes (20 at 30).")
        #expect(
            choice([[1], [], []], of: Self.lifetime)
                == "Take access lifetime 20, the shortest that is shown to meet every threshold;"
                + " at 10 the number of unexpected sign-outs is not 0: a stolen token is valid"
                + " for no longer. 20 costs 30 refreshes (20 at 30).")
    }

    @Test("A sweep does not recommend a lifetime at which users wait longer, and says its cost")
    func cost() {
        let choice = choice([[], [], []], of: Self.lifetime, waits: [1.4, 1.02, 1])
        #expect(
            choice?.hasPrefix(
                "Take access lifetime 20: a stolen token is valid for no longer, and at 10 the p95"
                    + " step duration is longer (1.4 s; 20: 1.02 s). 10 meets every threshold, too."
            )
                == true)
        #expect(choice?.contains("10 costs 60 refreshes (20 at 30), 1.4 s p95") == true)
    }

    @Test("Neighbours that cannot be told from the limit are named, and none is taken")
    func undecided() {
        #expect(
            choice([[0], [], []], of: "backend.server.workers", undecided: [20])
                == "Take workers 30, the least that is shown to meet every threshold; 20 is too"
                + " close to the limit of step_duration: p(95)<2s to tell with 3 replications.")
        #expect(
            choice([[], [], [0]], undecided: [10, 20])
                == "No users is shown to meet every threshold; 10, 20 are too close to the limit of"
                + " step_duration: p(95)<2s to tell with 3 replications.")
    }

    @Test("Neighbours with the same figures are one row, and that nothing differs is said")
    func repeated() {
        for isSame in [true, false] {
            let answer = sweep(
                "users", ["10", "20", "30"], [10, 20, 30], broken: [[], [], []], isSame: isSame)
            let text = answer.document.text(TerminalStyle(isOn: false))
            #expect(text.contains("\n  10…30") == isSame)
            #expect(text.contains("No metric differs between") == isSame)
        }
    }

    @Test("A sweep recommends the most load, or the least capacity, that meets every threshold")
    func ends() {
        #expect(
            choice([[], [], [0]])
                == "Take users 20, the most that is shown to meet every threshold; at 30 the p95"
                + " step duration is 2 s or more.")
        #expect(
            choice([[0, 1], [0], []], of: "backend.server.workers")
                == "Take workers 30, the least that is shown to meet every threshold; at 20 the"
                + " p95 step duration is 2 s or more.")
    }

    @Test("A sweep recommends by the order of values, not by that of the command line")
    func order() {
        let answer = sweep("users", ["30", "10", "20"], [30, 10, 20], broken: [[0], [], []])
        #expect(SweepChoice(of: answer).sentence?.hasPrefix("Take users 20, the most") == true)
    }

    @Test("A sweep recommends no value where all or none meet the thresholds, or in no order")
    func noChoice() {
        #expect(choice([[], [], []]) == nil)
        #expect(choice([[], [0], []]) == "Every threshold holds at users 10, 30 only.")
        #expect(
            choice([[0], [0, 1], [1]])
                == "No users of those tried meets every threshold: at 2 of 3 the p95 step"
                + " duration is 2 s or more.")
    }
}

@Suite("The limit of a figure in a chart")
struct FigureLimitTests {
    @Test(
        "A figure's limit in a chart is read from the threshold in the figure's own unit",
        arguments: [
            ("step_duration p(95)", "step_duration: p(95)<2s", 2e9),
            ("step_duration p(95)", "step_duration: p(95) < 300", 3e8),
            ("step_failed rate", "step_failed: rate<=5%", 0.05),
            ("step_failed rate", "step_failed: rate<0.01", 0.01),
            ("requests count", "requests: count<20k", 20_000),
            ("refreshes_per_expiry value", "refreshes_per_expiry: value<=1.05", 1.05),
            ("step_failed{app:ootd} rate", "step_failed{app:ootd}: rate<0.01", 0.01),
        ])
    func limits(figure: String, threshold: String, limit: Double) {
        #expect(Figure.limit(of: figure, in: threshold) == limit)
    }

    @Test("A threshold about another figure sets no limit in a chart")
    func others() {
        #expect(Figure.limit(of: "a p(95)", in: "a: p(99)<2s") == nil)
        #expect(Figure.limit(of: "a p(95)", in: "a{b:c}: p(95)<2s") == nil)
        let (name, part) = ("step_failed rate", "step_failed: rate<1% after 10m")
        #expect(Figure.limit(of: name, in: part) == nil)
        #expect(Figure.limit(of: name, in: "step_duration: p(95)<2s") == nil)
    }
}

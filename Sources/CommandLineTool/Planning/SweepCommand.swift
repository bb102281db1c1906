import SquallAnswers
import SquallLab

extension Command {
    static let sweep = Command(
        name: "sweep",
        summary: "Vary one or two settings and show how the metrics change.",
        operands: [Operand(name: "profile", count: .one, values: .profiles)],
        options: [
            Option(
                "--vary", .text("what=values"),
                "What to vary (users, rate or the key path of a number) and its values: 1,2,5 or"
                    + " 100..1000/10 (ten values) or 100..1000+100 (a step of 100); once or"
                    + " twice.", repeats: true),
            Option(
                "--figure", .text("name"),
                "Metric to show, such as p95, 'requests count' or recovery; may be given several"
                    + " times.", repeats: true),
            Option(
                "--replications", .count(1...100_000),
                "Number of seeds per point; 3 by default."),
        ] + Option.ofProfile + Option.ofPlanning.filter { $0.name != "--max-replications" }
            + Option.ofAnswers,
        example: "squall sweep quick --vary 'users=250..2000/4' --figure p95",
        perform: { try SweepCommand(invocation: $0).perform() })
}

/// Runs a profile at every place of a grid.
struct SweepCommand: PerformedCommand {
    let invocation: Invocation

    private static let replications: Int64 = 3

    func perform() throws -> ExitCode {
        let file = try file(arguments.operands[0])
        let experiment = try experiment(file)
        let figures = arguments.texts("--figure")
        let form = "what and its values, as users=100..1000/10"
        let axes = try arguments.values("--vary", as: form) { text in
            let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
            return halves.count == 2 ? (name: halves[0], list: halves[1]) : nil
        }
        let sweep = try Sweep(
            experiment, varying: axes,
            figures: figures.isEmpty ? Sweep.standardFigures(varying: axes.map(\.name)) : figures,
            replications: Int(arguments.count("--replications") ?? Self.replications))
        return try answer(named: file.name) { replicator in
            var answer = try sweep.answer(replicator, replay: replayCommand)
            let varied = axes.map(\.name)
            var profile = experiment.profile
            profile.assumed.removeAll { assumed in
                varied.contains(assumed.path)
                    || assumed.isOfLoad && (varied.contains("users") || varied.contains("rate"))
            }
            answer.assumed = try assumed(in: [profile], of: file.name)
            return answer
        }
    }
}

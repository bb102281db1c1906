import SquallAnswers
import SquallLab
import SquallLive
import SquallReport
import SquallSockets

extension Command {
    static let capacity = Command(
        name: "capacity",
        summary: "Find the highest load (users, rate, any setting) that meets every threshold.",
        operands: [Operand(name: "profile", count: .one, values: .profiles)],
        options: [
            Option(
                "--vary", .text("what"),
                "What to vary: users (by default), rate (sessions that arrive per second), or the"
                    + " key path of any number."),
            Option(
                "--by", .text("threshold"),
                "Use this threshold, such as 'step_duration: p(95)<2s', instead of the profile's;"
                    + " may be given several times.", repeats: true),
            Option(
                "--precision", .text("share"),
                "Stop when the interval is this precise (half of its width); 2% by default."),
            Option(
                "--from", .text("value"),
                "First value to try; the profile's own by default. Lower loads are tried only if a"
                    + " threshold fails there."),
            Option("--to", .text("value"), "Largest value to try."),
            Option(
                "--find", .text("largest|smallest"),
                "Which value that meets every threshold; the largest by default for users and"
                    + " rate. For another setting this, --at-least or --at-most has to be given."),
            Option(
                "--grid", .text("low..high/n"),
                "Run n values in geometric progression instead of searching; --shard needs it."),
            Option(
                "--at-least", .text("value"),
                "Find the largest value; fail unless its whole confidence interval is at or above"
                    + " this one."),
            Option(
                "--at-most", .text("value"),
                "Find the smallest sufficient value, such as a number of workers; fail unless its"
                    + " whole confidence interval is at or below this one."),
            .live(showing: "the bounds so far and every value that was run"),
        ] + Option.ofProfile + Option.ofPlanning + Option.ofAnswers,
        example: "squall capacity quick --by 'step_duration: p(95)<2s'",
        perform: { try CapacityCommand(invocation: $0).perform() })
}

/// Answers how much load a backend carries, as one number with an interval.
struct CapacityCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let file = try file(arguments.operands[0])
        let experiment = try chosen(file)
        guard !experiment.profile.expectations.isEmpty else {
            throw CommandFailure.usage(
                "a capacity is the largest load that keeps the thresholds, and \(file.path) has"
                    + " none; say what has to hold with --by 'step_duration: p(95)<2s'")
        }
        let variation = try Variation(arguments.text("--vary") ?? "users", of: experiment)
        var options = try options(variation)
        let least = try number("--at-least", variation)
        let most = try number("--at-most", variation)
        guard least == nil || most == nil else {
            throw CommandFailure.usage(
                "--at-least asks for the largest value and --at-most for the least; give one of"
                    + " the two")
        }
        if let least, let to = options.to, least > to {
            throw CommandFailure.usage(
                "--at-least \(variation.text(least)) cannot be reached: nothing above --to"
                    + " \(variation.text(to)) is tried")
        }
        options.direction = try direction(of: variation, least, most)
        return try answer(named: file.name) { [options] replicator in
            let search = CapacitySearch(variation, options, replicator)
            try showLive { port throws(SocketServer.Problem) in
                let page = try LivePage(port: port)
                replicator.meanwhile = {
                    page.enter(at: console.elapsedNanoseconds) { search.documentSoFar }
                }
                return page.address
            }
            var answer = try tellingBounds(of: search) {
                try search.answer(replay: replayCommand, atLeast: least, atMost: most)
            }
            let found = try variation.profile(at: answer.capacity?.value ?? variation.today)
            answer.assumed = try assumed(in: [found], of: file.name)
            return answer
        }
    }

    /// The direction that the limits or `--find` give; more load is harder to bear.
    private func direction(
        of variation: Variation, _ least: Double?, _ most: Double?
    ) throws -> CapacityDirection {
        let given = try arguments.value("--find", as: "largest or smallest") { word in
            ["largest": CapacityDirection.moreIsWorse, "smallest": .moreIsBetter][word]
        }
        let limit: CapacityDirection? =
            least != nil ? .moreIsWorse : most != nil ? .moreIsBetter : nil
        if let given, let limit, given != limit {
            throw CommandFailure.usage(
                "--at-least asks for the largest value and --at-most for the smallest, so --find"
                    + " contradicts it; leave out --find")
        }
        guard let direction = given ?? limit ?? (variation.isLoad ? .moreIsWorse : nil) else {
            throw CommandFailure.usage(
                "say which value of \(variation.noun) is asked for: --find smallest for one of"
                    + " which more is better, such as workers, or --find largest")
        }
        return direction
    }

    /// Searches, and says what is known where the search is stopped.
    private func tellingBounds(
        of search: CapacitySearch, _ find: () throws -> CapacityAnswer
    ) throws -> CapacityAnswer {
        do { return try find() } catch {
            if interruption.isRequested, !arguments.has("--json"), let bounds = search.boundsSoFar {
                console.write("\(bounds)\n", to: .output)
            }
            throw error
        }
    }

    /// The question with the thresholds named on the command line, or else all of its own.
    private func chosen(_ file: ProfileFile) throws -> Experiment {
        let named = try arguments.expectations("--by", as: "'step_duration: p(95)<2s'")
        let experiment = try experiment(file, further: named)
        guard !named.isEmpty else { return experiment }
        return try experiment.judged(only: named.compactMap(\.expectation))
    }

    private func options(_ variation: Variation) throws -> CapacityOptions {
        var options = CapacityOptions.standard
        let precision = try arguments.value("--precision", as: "a share below 100%, as 2%") {
            text in
            let number = text.hasSuffix("%") ? text.dropLast() : text[...]
            let value = Double(number).map { text.hasSuffix("%") ? $0 / 100 : $0 }
            return value.flatMap { $0 > 0 && $0 < 1 ? $0 : nil }
        }
        options.precision = precision ?? options.precision
        options.from = try number("--from", variation)
        options.to = try number("--to", variation)
        if let from = options.from, let to = options.to, from > to {
            throw CommandFailure.usage(
                "--from is where to begin and --to the largest value to try:"
                    + " \(variation.text(from)) is more than \(variation.text(to))")
        }
        let grid = try arguments.value(
            "--grid", as: "low..high/n with n of at least 2, as 500..5000/12"
        ) { ValueList($0, variation).flatMap { $0.values.count > 1 ? $0.values.sorted() : nil } }
        if let grid {
            guard !arguments.has("--fitted-uncertainty") else {
                throw CommandFailure.usage(
                    "--fitted-uncertainty seeks an end for each draw, which no grid does; leave out"
                        + " --grid")
            }
            (options.grid, options.replicationsMax) = (grid, CapacityOptions.replicationsMin)
        } else if arguments.has("--shard") {
            throw CommandFailure.usage(
                "a search cannot be split into shards, since each value depends on the last; use"
                    + " --shard with --grid low..high/n")
        }
        if let most = arguments.count("--max-replications") { options.replicationsMax = Int(most) }
        return options
    }

    private func number(_ option: String, _ variation: Variation) throws -> Double? {
        try arguments.value(option, as: "a number of \(variation.noun)") { text in
            variation.value(of: text).flatMap { $0 > 0 ? $0 : nil }
        }
    }
}

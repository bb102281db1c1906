import SquallFormat
import SquallLab

extension Arguments {
    /// The profile with the settings of the command line.
    func applied(to profile: Profile) throws(CommandFailure) -> Profile {
        var profile = profile
        profile.seed = seed("--seed") ?? profile.seed
        let planned = profile.durationNanoseconds
        profile.durationNanoseconds = nanoseconds("--for") ?? planned
        if case .first(let warmUp) = profile.warmUp, warmUp >= profile.durationNanoseconds {
            // A run that --for makes too short for its warm-up keeps the warm-up's share of time.
            let share = Int128(profile.durationNanoseconds) * Int128(warmUp) / Int128(planned)
            profile.warmUp = .first(nanoseconds: Int64(share))
        }
        if let problem = profile.rowProblem {
            throw .usage("output.timeseriesInterval \(problem)")
        }
        guard let users = count("--users") else { return profile }
        let populations = Int64(profile.populations.count)
        guard users >= populations else {
            throw .usage(
                "--users must be at least \(populations), one for each population, got \(users)")
        }
        return profile.scaled(toUsers: users)
    }

    /// The command line without the given options, as words that repeat it; for leaving out options
    /// that only say where and how an answer is computed.
    func words(of command: Command, without left: Set<String>) -> [String] {
        [command.name] + operands + words(of: command.options.filter { !left.contains($0.name) })
            + (ownCommand.isEmpty ? [] : ["--"] + ownCommand)
    }

    /// The given ones of some options, as words that repeat them.
    func words(of options: [Option]) -> [String] {
        options.flatMap { option in
            values[option.name, default: []].flatMap { value in
                switch value {
                case .present: [option.name]
                case .text(let text): [option.name, text]
                case .seed(let seed): [option.name, "\(seed)"]
                case .count(let count): [option.name, "\(count)"]
                case .nanoseconds(let duration):
                    [option.name, Units.exact(nanoseconds: duration)]
                }
            }
        }
    }
}

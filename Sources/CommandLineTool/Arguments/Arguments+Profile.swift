import SquallFormat
import SquallLab

extension Arguments {
    /// The profile with what the command line says instead.
    func applied(to profile: Profile) throws -> Profile {
        var profile = profile
        profile.seed = seed("--seed") ?? profile.seed
        let planned = profile.durationNanoseconds
        profile.durationNanoseconds = nanoseconds("--for") ?? planned
        if case .first(let warmUp) = profile.warmUp, warmUp >= profile.durationNanoseconds {
            // A short try of a profile leaves out as large a share of it.
            let share = Int128(profile.durationNanoseconds) * Int128(warmUp) / Int128(planned)
            profile.warmUp = .first(nanoseconds: Int64(share))
        }
        if let problem = profile.rowProblem {
            throw CommandFailure.usage("output.timeseriesInterval \(problem)")
        }
        guard let users = count("--users") else { return profile }
        let populations = Int64(profile.populations.count)
        guard users >= populations else {
            throw CommandFailure.usage(
                "--users must be at least \(populations), one for each population, got \(users)")
        }
        return profile.scaled(toUsers: users)
    }

    /// The command line without what only says where and how it is worked out, as words that make
    /// it again.
    func words(of command: Command, without left: Set<String>) -> [String] {
        let options = command.options.filter { !left.contains($0.name) }.flatMap { option in
            values(option.name).flatMap { value -> [String] in
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
        return [command.name] + operands + options
    }
}

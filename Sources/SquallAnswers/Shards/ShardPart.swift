import SquallFormat

/// The description of one part of a plan: the content of `part.json`.
public struct ShardPart: Codable, Sendable {
    /// The words of the command that was split, without the shard option.
    public let command: [String]
    /// The build of the program that ran it.
    let build: String
    /// The number of the part, from 1, and the number of parts.
    public let index, count: Int
    /// The keys of all replications of the whole plan, in order.
    public var plan: [String]

    /// A part.
    public init(command: [String], build: String, index: Int, count: Int, plan: [String] = []) {
        self.command = command
        self.build = build
        self.index = index
        self.count = count
        self.plan = plan
    }

    /// The range of the number of parts of a plan.
    public static let counts = 1...10_000
    /// The most missing parts that a message names.
    private static let namedMax = 20

    /// The reason for which it cannot be a part of any plan; `nil` when it can.
    private var problem: String? {
        guard Self.counts.contains(count) else {
            return "/count must be 1…10 000, got \(count)"
        }
        return (1...count).contains(index) ? nil : "/index must be 1…\(count), got \(index)"
    }

    /// The file's name.
    public static let file = "part.json"
    /// The folder of its replications, beside the file.
    public static let folder = "replications"

    /// The indices of the plan that are this part's, from 0.
    public var places: [Int] { plan.indices.filter { $0 % count == index - 1 } }

    /// The reasons for which the parts are not a whole plan, when merged by a program of a build;
    /// empty when they are.
    public static func problems(of parts: [(name: String, part: ShardPart)], build: String)
        -> [String]
    {
        guard let first = parts.first else { return ["there are no parts"] }
        var problems: [String] = []
        for (name, part) in parts {
            if let problem = part.problem {
                problems.append("\(name): \(problem)")
            } else if part.build != build {
                problems.append(
                    "\(name) was run by another program (\(part.build), this is \(build)); put"
                        + " parts together with the one that ran them")
            } else if part.command != first.part.command || part.count != first.part.count
                || part.plan != first.part.plan
            {
                problems.append(
                    "\(name) is a part of another plan than \(first.name): of 'squall"
                        + " \(part.command.joined(separator: " "))' in \(part.count) parts")
            }
        }
        guard problems.isEmpty else { return problems }
        let there = Set(parts.map(\.part.index))
        let missing = (1...first.part.count).filter { !there.contains($0) }
        guard !missing.isEmpty else { return [] }
        let list = missing.map(String.init).listed(atMost: namedMax)
        let words = first.part.command.joined(separator: " ")
        return [
            "of \(first.part.count) parts these are missing: \(list); run them with"
                + " squall \(words) --shard \(missing[0])/\(first.part.count)"
        ]
    }
}

import Foundation
import SquallAnswers
import SquallFormat

/// A command, with all that parsing, help and completion need of it.
public struct Command: Sendable {
    /// The word that calls it.
    public let name: String
    /// One sentence for the list of commands.
    let summary: String
    let operands: [Operand]
    /// Its options, hidden ones too.
    public let options: [Option]
    /// An example to try, shown first in the command's help.
    let example: String
    /// The executable that has it.
    let program: String
    /// True if words behind `--` are a command that it runs.
    let runsCommand: Bool
    /// True if it simulates, so that the allocator's settings are worth a start of their own.
    let simulates: Bool
    let perform: @Sendable (Invocation) throws -> ExitCode

    /// Makes a command of this name; everything else is shown by its help.
    public init(
        name: String, summary: String, operands: [Operand], options: [Option], example: String,
        program: String = Tool.standardName, runsCommand: Bool = false,
        simulates: Bool = true, perform: @escaping @Sendable (Invocation) throws -> ExitCode
    ) {
        (self.name, self.summary, self.operands, self.options) = (name, summary, operands, options)
        (self.example, self.program, self.perform) = (example, program, perform)
        (self.runsCommand, self.simulates) = (runsCommand, simulates)
    }

    /// Every command of `squall`, in the order of the help.
    public static let all: [Command] = [
        .run, .serve, .drive, .probe, .drill, .explore, .replay, .check, .capacity, .compare,
        .sweep,
        .benchmark, .merge,
        .plan, .report, .trend, .validate, .new, .fit, .profiles, .apps, .schema,
        .help, .completion,
    ]

    /// The executables of this package that have other commands.
    static let elsewhere = [
        "bench": "squall-dev", "fuzz": "squall-dev", "selftest": "squall-dev",
    ]

    /// Its call in texts, as `squall run`.
    var call: String { "\(program) \(name)" }

    /// Its form in the help, as `squall run <profile> [options]`.
    var usage: String {
        let visible = options.contains { !$0.isHidden }
        let words =
            [call] + operands.map(\.usage) + (visible ? ["[options]"] : [])
            + (runsCommand ? ["[-- <command>…]"] : [])
        return words.joined(separator: " ")
    }
}

extension [Command] {
    /// The command of a name; nil if there is none.
    func named(_ name: String) -> Command? { first { $0.name == name } }
}

/// A positional argument.
public struct Operand: Sendable {
    let name: String
    let count: Count
    let values: Values
    /// The sentence for an operand of which the values do not say enough.
    var about: String?

    /// A sentence on the words that are allowed.
    var meaning: String { about ?? values.meaning }

    enum Count: Sendable {
        case one
        case atMostOne
        case atLeastOne
        case any

        var allowsNone: Bool { self == .atMostOne || self == .any }
        var allowsSeveral: Bool { self == .atLeastOne || self == .any }
    }

    /// The words that an operand may be.
    enum Values: Sendable {
        case profiles
        /// Folders of the file system.
        case folders
        /// Files of the file system.
        case files
        /// Addresses of real servers.
        case addresses
        case words([String])
        /// One of some words, or a file of the file system.
        case wordsOrFiles([String])
        /// Topics of the help.
        case topics
        /// Key paths of settings.
        case settings

        /// The words to choose from; nil when any word is allowed.
        var known: [String]? { if case .words(let words) = self { words } else { nil } }

        /// A sentence on the words that are allowed.
        var meaning: String {
            switch self {
            case .profiles:
                "A file, the name of a profile as squall profiles lists it, or - for standard"
                    + " input."
            case .folders: "The folder of a run's results."
            case .files: "A file."
            case .addresses: "The address of a real server, such as http://127.0.0.1:8080."
            case .words(let words): "One of \(words.joined(separator: ", "))."
            case .wordsOrFiles(let words):
                "One of \(words.joined(separator: ", ")), or the file of a profile."
            case .topics: "A command, or one of \(HelpText.topics.joined(separator: ", "))."
            case .settings:
                "Behind profile: only this setting and what is in it, by its path."
            }
        }
    }

    var usage: String {
        switch count {
        case .one: "<\(name)>"
        case .atMostOne: "[<\(name)>]"
        case .atLeastOne: "<\(name)>…"
        case .any: "[<\(name)>…]"
        }
    }
}

extension Operand {
    /// Any number of files of profiles, or none.
    public static let profileFiles = Operand(name: "profile", count: .any, values: .files)
}

/// A named setting of a command.
public struct Option: Sendable {
    /// The name with its two dashes.
    public let name: String
    /// The form of the value behind the name.
    public let value: Value
    let summary: String
    /// True if the help leaves it out: this program gives it to its own child processes.
    public let isHidden: Bool
    /// True if it may be repeated.
    let repeats: Bool
    /// A name with one dash, for the few options that have a customary one.
    let shortName: String?
    /// The value where none follows; `nil` where one must.
    let usual: String?

    /// Makes an option; the name has two dashes, and the summary is a sentence of the help.
    public init(
        _ name: String, _ value: Value, _ summary: String, isHidden: Bool = false,
        repeats: Bool = false, shortName: String? = nil, usual: String? = nil
    ) {
        (self.name, self.value, self.summary, self.usual) = (name, value, summary, usual)
        (self.isHidden, self.repeats, self.shortName) = (isHidden, repeats, shortName)
    }

    /// Makes an option that is on when it is given.
    public init(_ name: String, _ summary: String) { self.init(name, .none, summary) }

    /// The form of the value behind an option's name.
    public enum Value: Sendable {
        /// No value: the option is on when it is given.
        case none
        case text(String)
        case path(String)
        /// A number of 64 bits, decimal or hexadecimal.
        case seed
        case count(ClosedRange<Int64>)
        /// Nanoseconds, written with a unit.
        case duration(ClosedRange<Int64>)
    }

    /// The least and the largest value allowed; nil where the value is no number.
    var limits: String? {
        switch value {
        case .count(let range):
            "\(Units.grouped(range.lowerBound))…\(Units.grouped(range.upperBound))"
        case .duration(let range):
            [range.lowerBound, range.upperBound].map(Units.exact(nanoseconds:))
                .joined(separator: "…")
        case .none, .text, .path, .seed: nil
        }
    }

    /// The limits of a count that is too small to be written with a multiple, such as a port.
    var shortLimits: String? {
        if case .count(let range) = value, range.upperBound < 100_000 { limits } else { nil }
    }

    /// The placeholder for the value in the help.
    var placeholder: String? {
        switch value {
        case .none: nil
        case .text(let name), .path(let name): usual == nil ? "<\(name)>" : "[<\(name)>]"
        case .seed: "<seed>"
        case .count: "<number>"
        case .duration: "<duration>"
        }
    }
}

extension Option {
    /// Turns progress and notes off.
    public static let quiet = Option("--quiet", "Show no progress and no notes.")

    /// ``quiet`` for commands that print a report.
    static let verdictAlone = Option(
        "--quiet", "Print the verdict alone instead of the report, and no progress and no notes.")

    /// Turns colour off.
    public static let noColor = Option("--no-color", "Never use colour.")
}

/// A command with its words and everything it works with.
public struct Invocation {
    var command: Command
    /// The words of the command line.
    var arguments: Arguments
    /// The tool that performs it.
    let tool: Tool
    /// The streams and the environment.
    let console: any Console
    /// The parts of a plan to merge, when nothing may be run; nil otherwise.
    var parts: MergedParts?
}

/// The parts of a plan to merge.
struct MergedParts {
    /// The stores with their replications.
    let stores: [ReplicationStore]
    /// The keys of all replications of the plan, as the parts name them.
    let plan: [String]
    /// The parts' own folders.
    let folders: [URL]
}

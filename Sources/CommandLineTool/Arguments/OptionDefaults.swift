import Foundation
import SquallFormat

/// The defaults of options where the command line does not give them: environment variables and
/// `squall.json` in the working folder, as `squall help environment` describes them.
struct OptionDefaults {
    /// A value for an option, and its source.
    struct Default {
        /// The option's name with its dashes.
        let option: String
        /// As they would be written on the command line; several only from the file.
        let texts: [String]
        /// The variable, or the file with the place in it.
        let source: String

        /// As it could be typed.
        var shown: String {
            texts == ["true"]
                ? option
                : texts.map { "\(option) \($0.quotedForShell)" }
                    .joined(separator: " ")
        }
    }

    /// The file, beside which no other is read.
    static let file = "squall.json"

    /// The defaults of a command, each before those that it overrides.
    let all: [Default]

    /// Reads the environment and the file, for a command among all of them.
    ///
    /// - Throws: a mistake in the file, or that it cannot be read.
    init(
        for command: Command, among commands: [Command], _ console: any Console
    ) throws(CommandFailure) {
        let names = command.options.filter { !$0.isHidden }.map(\.name)
        let variables = names.compactMap { name -> Default? in
            let variable = Self.variable(of: name)
            guard !Self.others.contains(variable) else { return nil }
            return console.environment[variable].map {
                Default(option: name, texts: [$0], source: variable)
            }
        }
        let url = console.directory.appending(path: Self.file)
        guard url.exists else {
            all = variables
            return
        }
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: url))
        } catch {
            throw .system("cannot read \(Self.file)", error)
        }
        let file = try Self.members(of: bytes, commands)
        let sections = [command.name, ""].map { name in file.filter { $0.section == name } }
        all = variables + sections.joined().map(\.given)
    }

    /// The variable of an option: `SQUALL_ACCESS_LIFETIME` of `--access-lifetime`.
    static func variable(of option: String) -> String {
        "SQUALL_" + option.drop { $0 == "-" }.uppercased().replacing("-", with: "_")
    }

    /// Notes on variables that look as if they were meant for options, and are of none.
    static func notes(_ variables: some Sequence<String>, _ commands: [Command]) -> [String] {
        let known = Set(commands.flatMap(\.options).map { variable(of: $0.name) })
        return variables.filter { $0.hasPrefix("SQUALL_") }.sorted().compactMap { name in
            guard !known.union(others).contains(name),
                let meant = Spelling.nearest(to: name, among: known.sorted())
            else { return nil }
            return "note: \(name) is the variable of no option. Did you mean \(meant)?"
        }
    }

    /// Variables that are for no option.
    private static let others: Set = [
        "SQUALL_CLIENT_SECRET", "SQUALL_DRILL", "SQUALL_PASSWORD", "SQUALL_URL", "SQUALL_WORLD",
    ]

    private static func members(
        of bytes: [UInt8], _ commands: [Command]
    ) throws(CommandFailure) -> [(section: String, given: Default)] {
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONParser.parse(bytes)
        } catch {
            throw .invalid(
                "\(file):\(error.place.line):\(error.place.column): \(error.problem)")
        }
        guard case .object(let members) = root.value else {
            throw .invalid("\(file) must be an object of options, such as {\"out\": \"results\"}")
        }
        var found: [(String, Default)] = []
        for member in members {
            if let command = commands.named(member.name), case .object(let own) = member.value.value
            {
                for member in own {
                    found.append((command.name, try read(member, of: [command])))
                }
            } else {
                found.append(("", try read(member, of: commands)))
            }
        }
        return found
    }

    private static func read(
        _ member: JSONNode.Member, of commands: [Command]
    ) throws(CommandFailure) -> Default {
        let place = "\(file):\(member.place.line):\(member.place.column)"
        let known = commands.flatMap(\.options).map { String($0.name.drop { $0 == "-" }) }
        guard known.contains(member.name) else {
            if let command = commands.named(member.name) {
                throw .invalid(
                    "\(place): the options of \(command.call) must be an object, such as"
                        + " {\"out\": \"results\"}")
            }
            let owner = commands.count == 1 ? commands[0].call : "no command of squall"
            throw .invalid(
                "\(place): \(commands.count == 1 ? "\(owner) has no" : "\(owner) has an") option"
                    + " '\(member.name)'."
                    + Spelling.hint(
                        for: member.name, among: Set(known + commands.map(\.name)).sorted()))
        }
        return Default(
            option: "--" + member.name, texts: try texts(of: member.value, at: place),
            source: place)
    }

    private static func texts(
        of node: JSONNode, at place: String
    ) throws(CommandFailure) -> [String] {
        switch node.value {
        case .string(let text): return [text]
        case .number(let text): return [text]
        case .bool(let isOn): return ["\(isOn)"]
        case .array(let elements):
            let lists = try elements.map { (element) throws(CommandFailure) in
                try texts(of: element, at: place)
            }
            return Array(lists.joined())
        case .object, .null:
            throw .invalid("\(place): must be a text, a number, true or false, or a list of these")
        }
    }
}

import SquallFormat

extension Command {
    static let completion = Command(
        name: "completion", summary: "Print a completion script for a shell.",
        operands: [
            Operand(name: "shell", count: .one, values: .words(["bash", "zsh", "fish"]))
        ],
        options: [], example: "source <(squall completion bash)",
        simulates: false,
        perform: { invocation in
            let script =
                switch invocation.arguments.operands[0] {
                case "bash": CompletionScript.bash
                case "zsh": CompletionScript.zsh
                default: CompletionScript.fish
                }
            invocation.console.write(script, to: .output)
            return .passed
        })
}

/// Completion scripts, made from the table of commands.
enum CompletionScript {
    private static let profiles = "$(squall profiles --names 2>/dev/null)"
    private static let fishProfiles = "(squall profiles --names 2>/dev/null)"

    /// Options with the command that lists their values; in a list's path only the first element is
    /// offered.
    private static let values = [
        (options: ["--set", "--vary"], command: "squall help profile --names"),
        (options: ["--threshold", "--by", "--figure"], command: "squall help metrics --names"),
    ]
    private static let firstOfLists = "sed 's/\\[\\]/[0]/g'"

    static var bash: String {
        let values = values.map { options, command in
            "    \(options.joined(separator: "|")))"
                + " words=\"$(\(command) 2>/dev/null | \(firstOfLists))\" ;;"
        }
        let cases = Command.all.map { command in
            "    \(command.name)) words=\"\(words(of: command))\" ;;"
        }
        return """
            _squall() {
              local words="" current="${COMP_WORDS[COMP_CWORD]}"
              if [ "$COMP_CWORD" -eq 1 ]; then
                words="\(Command.all.map(\.name).joined(separator: " ")) --help --version"
              else
                case "${COMP_WORDS[1]}" in
            \(cases.joined(separator: "\n"))
                esac
                case "${COMP_WORDS[COMP_CWORD - 1]}" in
            \(values.joined(separator: "\n"))
                esac
              fi
              COMPREPLY=($(compgen -W "$words" -- "$current"))
            }
            complete -o default -F _squall squall

            """
    }

    static var zsh: String {
        """
        #compdef squall
        autoload -U +X bashcompinit && bashcompinit
        \(bash)
        """
    }

    static var fish: String {
        let commands = Command.all.map { command in
            "complete -c squall -n __fish_use_subcommand -a \(command.name)"
                + " -d \(command.summary.quotedForShell)"
        }
        let details = Command.all.flatMap(fishLines)
        return (commands + details).lines
    }

    private static func fishLines(of command: Command) -> [String] {
        let condition = "complete -c squall -n '__fish_seen_subcommand_from \(command.name)'"
        let options = command.options.filter { !$0.isHidden }.map { option in
            let needsValue = option.placeholder == nil ? "" : " -r"
            let values = values.first { $0.options.contains(option.name) }.map {
                " -a \"(\($0.command) 2>/dev/null | \(firstOfLists))\""
            }
            return "\(condition) -l \(option.name.dropFirst(2))\(needsValue)\(values ?? "")"
                + " -d \(option.summary.quotedForShell)"
        }
        let operands = command.operands.map { operand in
            let values = operand.values.completion(profiles: fishProfiles)
            return "\(condition) -a \"\(values)\""
        }
        return options + operands
    }

    private static func words(of command: Command) -> String {
        let options = command.options.filter { !$0.isHidden }.map(\.name) + ["--help"]
        let operands = command.operands.map { $0.values.completion(profiles: profiles) }
        return (options + operands).joined(separator: " ")
    }
}

extension Operand.Values {
    /// The words to choose from, where profile names come from a command of the shell; empty for
    /// folders, files and settings, which are completed in another way.
    fileprivate func completion(profiles: String) -> String {
        switch self {
        case .folders, .files, .settings, .addresses: return ""
        case .wordsOrFiles(let words): return words.joined(separator: " ")
        case .topics:
            return (Command.all.map(\.name) + HelpText.topics).joined(separator: " ")
        default: return known?.joined(separator: " ") ?? profiles
        }
    }
}

import Foundation
import SquallFormat
import Testing

@testable import CommandLineTool

@Suite("Shell completion")
struct CompletionTests {
    @Test("Bash offers every command first, with --help and --version", arguments: ["bash", "zsh"])
    func commands(shell: String) throws {
        let words = try Self.line("    words=\"", "\"", in: Self.script(shell))
        #expect(words == Command.all.map(\.name) + ["--help", "--version"])
    }

    @Test(
        "Bash and zsh offer a command's options and words, none twice, none hidden",
        arguments: Command.all.map(\.name))
    func words(command name: String) throws {
        let command = try #require(Command.all.first { $0.name == name })
        for shell in ["bash", "zsh"] {
            let words = try Self.line("    \(name)) words=\"", "\" ;;", in: Self.script(shell))
            let options = words.filter { $0.hasPrefix("--") }
            #expect(Set(options) == Self.options(of: command))
            #expect(Set(words).count == words.count, "\(words)")
            #expect(Self.choices(of: command).isSubset(of: words))
        }
    }

    @Test(
        "Fish offers a command with its summary, and its options with a value where they need one",
        arguments: Command.all.map(\.name))
    func fish(command name: String) throws {
        let command = try #require(Command.all.first { $0.name == name })
        let lines = try Self.script("fish").split(separator: "\n").map(String.init)
        let first = "complete -c squall -n __fish_use_subcommand -a \(name) -d "
        #expect(lines.count { $0.hasPrefix(first) } == 1)
        #expect(lines.contains(first + command.summary.quotedForShell))
        let condition = "complete -c squall -n '__fish_seen_subcommand_from \(name)' -l "
        let options = lines.filter { $0.hasPrefix(condition) }.map { $0.dropFirst(condition.count) }
        #expect(options.count == command.options.count { !$0.isHidden })
        for option in command.options where !option.isHidden {
            let own = options.first { $0.hasPrefix(option.name.dropFirst(2) + " ") }
            #expect(
                own?.hasSuffix(" -d \(option.summary.quotedForShell)") == true, "\(option.name)")
            #expect(own?.contains(" -r ") == (option.placeholder != nil), "\(option.name)")
        }
    }

    @Test("A script is correct in its shell's grammar", arguments: ["bash", "zsh", "fish"])
    func grammar(shell: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Fish's lines are plain words, which bash can read where fish is not installed.
        let reader = Self.isInstalled(shell) ? shell : "bash"
        process.arguments = [reader, "-n", "-c", try Self.script(shell)]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private static func script(_ shell: String) throws -> String {
        let squall = try PlayedTool()
        #expect(squall.run("completion", shell) == .passed)
        return squall.console.output
    }

    /// The words of the only line between two texts.
    private static func line(
        _ start: String, _ end: String, in script: String
    ) throws -> [String] {
        let lines = script.split(separator: "\n").filter { $0.hasPrefix(start) }
        #expect(lines.count == 1, "\(start)")
        let line = try #require(lines.first)
        #expect(line.hasSuffix(end))
        return line.dropFirst(start.count).dropLast(end.count).replacing(/\$\([^)]*\)/, with: "")
            .split(separator: " ").map(String.init)
    }

    private static func options(of command: Command) -> Set<String> {
        Set(command.options.filter { !$0.isHidden }.map(\.name) + ["--help"])
    }

    /// The words that a command's operands may be.
    private static func choices(of command: Command) -> Set<String> {
        Set(command.operands.flatMap { $0.values.known ?? [] })
    }

    private static func isInstalled(_ program: String) -> Bool {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }
}

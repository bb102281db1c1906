import Foundation
public import SquallApps
import SquallKernel
public import SquallServices

/// Runs the tool as a process, with the process's own words, streams and signals.
public enum ToolProcess {
    /// Performs the command of the process's words, and ends the process with its exit code.
    ///
    /// - Parameters:
    ///   - name: the executable's name in commands that it prints; nil for `squall`.
    ///   - apps: the apps that profiles may name; a name may stand for one app only.
    ///   - services: the services that are mounted in every world, the first for unknown hosts.
    ///   - commands: commands besides those of `squall`.
    public static func run(
        named name: String? = nil, apps: [any RegisteredApp.Type], services: [ServiceKind],
        commands: [Command] = []
    ) -> Never {
        AppRegistry.add(apps.map { $0.listing })
        ServiceKind.add(services)
        StandardStreams.secure()
        let (known, words) = (Command.all + commands, Array(CommandLine.arguments.dropFirst()))
        if words.first.flatMap(known.named)?.simulates == true { AllocatorTuning.apply() }
        TrapReport.install()
        if let path = Version.executable?.systemPath {
            Containment.install(program: path, words: CommandLine.unsafeArgv)
        }
        // A reader that closes the pipe must not end the process before its results are kept.
        signal(SIGPIPE, SIG_IGN)
        let interruption = Interruption()
        let tool = Tool(
            runner: InstalledRunner(), interruption: interruption,
            child: OwnExecutable(interruption: interruption), name: name ?? Tool.standardName,
            commands: known)
        let listeners = interruption.listening { ProcessConsole.note(Interruption.notice) }
        let code = tool.main(words, console: ProcessConsole())
        for listener in listeners { listener.cancel() }
        interruption.exit(code)
    }
}

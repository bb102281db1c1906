import Foundation
import SquallKernel
import SquallLab
public import SquallProof

/// A process that is the tool: its words are the process's, its streams and signals too.
public enum ToolProcess {
    /// Does what the process's words say, and ends the process with the tool's exit code.
    ///
    /// - Parameters:
    ///   - name: the executable, as commands that it prints begin; nil for `squall`.
    ///   - more: what `bench` measures beside what this package always does.
    public static func run(named name: String? = nil, benchmarks more: [Benchmark] = []) -> Never {
        StandardStreams.secure()
        AllocatorTuning.apply()
        TrapReport.install()
        // A reader that went away must not end the process before its results are kept.
        signal(SIGPIPE, SIG_IGN)
        let interruption = Interruption()
        let tool = Tool(
            runner: InstalledRunner(), benchmarks: Benchmark.all + more, interruption: interruption,
            child: OwnExecutable(interruption: interruption), name: name ?? Tool.standardName)
        let listeners = interruption.listening()
        let words = Array(CommandLine.arguments.dropFirst())
        let code = tool.main(words, console: ProcessConsole())
        for listener in listeners { listener.cancel() }
        interruption.exit(code)
    }
}

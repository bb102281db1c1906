import Foundation
import SquallKernel
import SquallLab
import SquallProof

/// A process that is the tool: its words are the process's, its streams and signals too.
public enum ToolProcess {
    /// Does what the process's words say, and ends the process with the tool's exit code.
    public static func run() -> Never {
        StandardStreams.secure()
        AllocatorTuning.apply()
        TrapReport.install()
        // A reader that went away must not end the process before its results are kept.
        signal(SIGPIPE, SIG_IGN)
        let interruption = Interruption()
        let tool = Tool(
            runner: InstalledRunner(), benchmarks: Benchmark.all, interruption: interruption,
            child: OwnExecutable(interruption: interruption))
        let listeners = interruption.listening()
        let words = Array(CommandLine.arguments.dropFirst())
        let code = tool.main(words, console: ProcessConsole())
        for listener in listeners { listener.cancel() }
        exit(code.rawValue)
    }
}

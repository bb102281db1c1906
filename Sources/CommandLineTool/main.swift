import Foundation
import SquallKernel
import SquallLab
import SquallProof

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
let code = tool.main(Array(CommandLine.arguments.dropFirst()), console: ProcessConsole())
for listener in listeners { listener.cancel() }
exit(code.rawValue)

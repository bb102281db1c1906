import CommandLineTool
import SquallCases
import SquallProof

// For those who work on Squall: every command of squall, and those of this module.

ToolProcess.run(
    named: "squall-dev", apps: Cases.apps, services: Cases.services,
    commands: [.fuzz, .selfTest(), .bench(Benchmark.all + Benchmark.sessions)])

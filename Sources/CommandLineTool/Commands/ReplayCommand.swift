import Foundation
import SquallFormat
import SquallLab
import SquallPlanning
import SquallRaces

extension Command {
    static let replay = Command(
        name: "replay", summary: "Play a saved finding again, exactly.",
        operands: [Operand(name: "file", count: .one, values: .folders)],
        options: [
            Option("--fifo", "Show the same scenario in first in, first out as well."),
            .noColor,
        ],
        example: "squall replay Results/r7/latest/findings/S5-1.json",
        perform: { try ReplayCommand(invocation: $0).perform() })
}

/// Replays a finding's schedule, and says whether everything happened as before.
struct ReplayCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let replay = try replay(arguments.operands[0])
        print(
            replay.lines(
                style, width: console.width(of: .output), showsFIFO: arguments.has("--fifo")))
        if !replay.isExact, replay.isSameBuild { return .internalError }
        return replay.isStillThere ? .failed : .passed
    }

    private func replay(_ path: String) throws -> Replay {
        let data = try ProfileFile.readable(path) { try Data(contentsOf: console.file($0)) }
        let build = try Version.build
        do {
            return try Replay(
                FindingFile.read(data), build: build,
                vocabulary: tool.runner.vocabulary, searchMax: 1_000)
        } catch let error as FileSyntaxError {
            throw CommandFailure.invalid("\(path) is no finding: \(error)")
        } catch let error as ExplorationError {
            throw CommandFailure.invalid("\(path): \(error)")
        }
    }
}

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
        let finding = replay.finding
        var lines = [
            "\(replay.statement)",
            replay.isStillThere
                ? ink.red("✗ \(replay.file.invariant): \(finding.violation.text)")
                : ink.green("✓ \(replay.file.invariant) holds"),
            "  promise: \(replay.file.claim)",
        ]
        if let order = finding.orderThatMatters {
            lines.append(ink.yellow("  the order that matters: \(order)"))
        }
        let width = console.width(of: .output)
        let played = Timeline(finding.played, of: finding.violation)
        lines += TimelineText(played, ink: ink, width: width).lines
        if arguments.has("--fifo") {
            lines.append("  the same in first in, first out:")
            lines += TimelineText(Timeline(finding.twin, of: nil), ink: ink, width: width).lines
        }
        print(lines)
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
        } catch let error as InvalidProfile {
            throw error.failure
        } catch let error as FileSyntaxError {
            throw CommandFailure.invalid("\(path) is no finding: \(error)")
        } catch let error as ExplorationError {
            throw CommandFailure.invalid("\(path): \(error)")
        }
    }
}

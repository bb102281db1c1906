import Foundation
import SquallAnswers
import SquallFormat
import SquallLab
import SquallLive

extension Command {
    static let replay = Command(
        name: "replay", summary: "Play a saved finding or live session again, exactly.",
        operands: [
            Operand(
                name: "file", count: .one, values: .files,
                about: "A finding (Results/…/findings/S5-1.json), or the file of squall serve"
                    + " --session.")
        ],
        options: [
            Option("--fifo", "Also show the same scenario in the default order."),
            Option("--json", "With a session: print the report as one JSON document."),
            .noColor,
        ],
        example: "squall replay Results/outfit-gap/latest/findings/S13-1.json",
        perform: { try ReplayCommand(invocation: $0).perform() })
}

/// Replays a finding's schedule, and says whether everything happened as before.
struct ReplayCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let path = arguments.operands[0]
        if console.file(path).isFolder {
            throw CommandFailure.invalid(
                "\(path) is a folder; name a finding, a file in the folder findings of an"
                    + " exploration's results")
        }
        let data = try ProfileFile.readable(path) { try Data(contentsOf: console.file($0)) }
        if let beginning = LiveLogFile.beginning(of: data) {
            return try replaySession(data, beginning, path)
        }
        let replay = try replay(data, path)
        print(
            replay.lines(
                style, width: console.width(of: .output), showsFIFO: arguments.has("--fifo")))
        if !replay.isExact, replay.isSameBuild { return .internalError }
        return replay.isStillThere ? .failed : .passed
    }

    private func replaySession(
        _ data: Data, _ beginning: JSONNode, _ path: String
    ) throws -> ExitCode {
        do {
            let report = try LiveLogFile.replayed(data, beginning, invocation)
            show(report.document, json: report.json.document)
            return report.passes == false || !report.isWhole ? .failed : .passed
        } catch let error as LiveLogProblem {
            throw CommandFailure.invalid("\(path) cannot be replayed: \(error)")
        } catch let error as JSONSyntaxError {
            throw CommandFailure.invalid("\(path) cannot be replayed: \(error.problem)")
        }
    }

    private func replay(_ data: Data, _ path: String) throws -> Replay {
        let build = try Version.build
        do {
            return try Replay(
                FindingFile.read(data), build: build,
                vocabulary: tool.runner.vocabulary, searchMax: 1_000)
        } catch let error as FileSyntaxError {
            if let words = ProfileFile.misplaced(Array(data)) {
                throw CommandFailure.invalid(
                    "\(path) \(words); replay takes a finding, as in Results/…/findings, or a"
                        + " session of squall serve --session")
            }
            throw CommandFailure.invalid(
                "\(path) is neither a finding, as in Results/…/findings, nor a session of squall"
                    + " serve --session: \(error)")
        } catch let error as ExplorationError {
            throw CommandFailure.invalid("\(path): \(error)")
        }
    }
}

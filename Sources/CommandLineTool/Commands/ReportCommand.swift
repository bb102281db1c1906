import Foundation
import SquallFormat
import SquallReport

extension Command {
    static let report = Command(
        name: "report", summary: "Write report.html again from the other files of a run.",
        operands: [Operand(name: "folder", count: .one, values: .folders)], options: [],
        example: "squall report Results/quick/seed1-0123abcd",
        simulates: false, perform: { try ReportCommand(invocation: $0).perform() })
}

/// Draws a run's page again from its files, so an old run can have a new page.
struct ReportCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let folder = console.file(arguments.operands[0])
        let summary = try read("summary.json", in: folder) {
            try JSONDocument.read(RunSummary.self, from: $0)
        }
        let run = SavedRun(
            summary: summary,
            timeseries: try read("timeseries.csv", in: folder) {
                try TimeTable(csv: String(decoding: $0, as: UTF8.self))
            },
            latencies: try read("latency.hlog", in: folder) {
                try LatencyLog(text: String(decoding: $0, as: UTF8.self))
            })
        if let sentence = summary.extent.sentence {
            console.write("note: \(sentence)\n", to: .error)
        }
        let file = folder.appending(path: "report.html")
        try OutputFile(file.path(percentEncoded: false), console: console).write(run.html)
        console.write("\(file.shown)\n", to: .output)
        return .passed
    }

    private func read<Content>(
        _ name: String, in folder: URL, _ decode: (Data) throws -> Content
    ) throws -> Content {
        try KeptFile.ofRun(name, at: folder.appending(path: name)).content(
            "file of a run",
            wayOut: "run the profile again, or draw the page with the version of Squall that"
                + " manifest.json names", decode)
    }
}

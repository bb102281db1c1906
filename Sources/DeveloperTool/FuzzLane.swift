import CommandLineTool
import Foundation
import SquallFormat
import SquallProof

/// Tries subjects in worker processes with one order of dictionaries; restarts dead workers.
struct FuzzLane: Sendable {
    let child: any ChildProcess
    let environment: [String: String]
    let seed: UInt64
    /// A folder for this lane's logs only.
    let folder: URL

    /// The result of a subject.
    enum Verdict: Codable, Hashable, Sendable {
        /// There was no profile.
        case undrawn
        /// A profile's trial.
        case ended(FuzzTrial.Ending)
        /// Command lines that ended as they may.
        case answered(FuzzLineTrial.Answer)
        /// The process died while it ran the subject.
        case died(status: Int32, String)
    }

    /// The verdicts, in the order of the subjects; `progress` gets their number so far.
    func verdicts(
        on subjects: [FuzzSubject], progress: @Sendable (Int) -> Void = { _ in }
    ) throws -> [Verdict] {
        var verdicts: [Verdict] = []
        while verdicts.count < subjects.count {
            let end = min(subjects.count, verdicts.count + FuzzLane.stint)
            verdicts += try stint(on: subjects, from: verdicts.count, to: end)
            progress(verdicts.count)
        }
        return verdicts
    }

    /// The number of subjects that share a process, so that starting one costs little.
    private static let stint = 50

    /// The verdicts of one worker; the last one may be that it died.
    private func stint(
        on subjects: [FuzzSubject], from start: Int, to end: Int
    ) throws -> [Verdict] {
        let log = folder.appending(path: "log").path(percentEncoded: false)
        let words = ["fuzz", "--worker", log, "--seed", "\(seed)"]
        let outcome = try child.run(
            words + subjects[start..<end].map(\.word),
            ChildSurroundings(environment: environment))
        let lines = try String(decoding: Data(contentsOf: URL(filePath: log)), as: UTF8.self)
            .split(separator: "\n")
        let verdicts = lines.compactMap {
            try? JSONDocument.read(Verdict.self, from: Data($0.utf8))
        }
        if verdicts.count == end - start { return verdicts }
        guard lines.last.map(String.init) == FuzzWorker.beginning else {
            throw FuzzFailure(
                description: "a worker ended with \(outcome.status) before its first profile\n"
                    + outcome.errors)
        }
        return verdicts + [.died(status: outcome.status, outcome.errors)]
    }
}

/// Nothing can be tried; an internal error.
struct FuzzFailure: Error, CustomStringConvertible {
    let description: String
}

extension FuzzSubject {
    /// The subject's name on the command line.
    var word: String {
        switch self {
        case .kept(let path): path
        case .drawn(let number): "#\(number)"
        case .line(let number): "@\(number)"
        }
    }

    init(word: String) {
        let number = UInt64(word.dropFirst()) ?? 0
        self =
            switch word.first {
            case "#": .drawn(number)
            case "@": .line(number)
            default: .kept(word)
            }
    }
}

extension FuzzLane.Verdict {
    /// The reason for which it failed, without details that differ between runs; nil on success.
    var complaint: String? {
        switch self {
        case .undrawn, .ended, .answered:
            failure.map { "fails: " + String($0.filter { !$0.isNumber }.prefix(80)) }
        case .died(SIGPROF + 128, _), .died(SIGALRM + 128, _): "hangs"
        case .died: "traps"
        }
    }

    /// The check that failed, in a line.
    private var failure: String? {
        guard case .ended(.failed(let reason)) = self else { return nil }
        return reason.replacing("\n", with: " | ")
    }

    /// Details for the reader of a failure.
    var detail: String {
        switch self {
        case .undrawn: "could not be drawn"
        case .ended(.tooLarge(let bytes)): "it would take \(Units.grouped(bytes)) bytes"
        case .ended(.stoodStill): "stood still"
        case .ended: failure ?? "held"
        case .answered(let answer): "ended with \(answer.code)"
        case .died(SIGPROF + 128, _): "stopped after \(FuzzWorker.secondsMax) s of processor time"
        case .died(let status, let errors):
            "the process ended with \(status)"
                + (errors.isEmpty ? "" : ": " + errors.suffix(2_000))
        }
    }
}

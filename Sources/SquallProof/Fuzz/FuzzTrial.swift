import Foundation
import SquallAnswers
import SquallFormat
public import SquallLab
import SquallReport

/// One small run of a random profile, checked against everything that must hold of any run.
///
/// It is small because it is stopped, not because its settings are: they are at their ends as often
/// as between. Where it stops depends only on its own events, so two trials of a profile stop at
/// the same event.
public struct FuzzTrial {
    /// The result.
    public enum Ending: Codable, Hashable, Sendable {
        /// Everything held; with a hash of all files' bytes, and what stopped the run early.
        case held(bytes: String, Limit?)
        /// Virtual time stood still, which was detected and is the profile's fault.
        case stoodStill
        /// It was not run, because it would need this many bytes of memory.
        case tooLarge(bytes: Int64)
        /// Something did not hold.
        case failed(String)
    }

    /// A limit at which a trial is stopped and summed up.
    public enum Limit: String, CaseIterable, Codable, Sendable {
        /// The number of calls.
        case requests
        /// The number of events.
        case events
    }

    /// The calls after which a run is stopped.
    private static let requestsMax: Int64 = 400
    /// The jobs and events after which a run is stopped.
    private static let eventsMax = 100_000
    /// The jobs and events after which a run is stopped even if virtual time stands still; before
    /// that, the run has time to detect it.
    private static let eventsInAll = 400_000
    /// The largest world that is built, in bytes.
    private static let bytesMax = 3e9

    private let drawn: DrawnProfile
    private let vocabulary: ProfileVocabulary
    private let isAlone: Bool

    /// A trial of a profile; `isAlone` says that nothing else in the process has Swift jobs, so
    /// that any job outside the simulated world is a failure.
    public init(
        _ drawn: DrawnProfile, _ vocabulary: ProfileVocabulary = .installed, isAlone: Bool
    ) {
        self.drawn = drawn
        self.vocabulary = vocabulary
        self.isAlone = isAlone
    }

    /// Runs the profile and checks the result.
    public func ending() -> Ending {
        do {
            let profile = try drawn.checked(vocabulary).readingArrivalLogs { file in
                try ArrivalLog(file: file, text: drawn.files[file] ?? "")
            }
            let bytes = RunEstimate(profile).worldBytes
            guard bytes <= FuzzTrial.bytesMax else {
                return .tooLarge(bytes: Int64(min(bytes, 1e18)))
            }
            let (result, limit) = try run(profile)
            let ending = try judge(result, limit)
            if case .held = ending, result.standstill != nil { return .stoodStill }
            return ending
        } catch {
            return .failed("\(error)")
        }
    }

    private func run(_ profile: Profile) throws -> (RunResult, Limit?) {
        var allowance = Allowance()
        var options = LoadRun.Options(
            replayCommand: "squall run drawn.json", trace: TraceSelection("user:0"))
        options.isStrict = isAlone
        let result = try LoadRun(profile: profile, named: "drawn", options: options).run {
            allowance.look(at: $0) ? .continue : .stop
        }
        return (result, allowance.limit)
    }

    /// The rest of what a run may use; a pilot run has its own.
    private struct Allowance {
        private var moment: Int64 = 0
        private(set) var limit: Limit?

        /// Takes the latest progress from the allowance; false once that is used up.
        mutating func look(at progress: RunProgress) -> Bool {
            if progress.virtualNanoseconds < moment { self = Allowance() }
            let hasMoved = progress.virtualNanoseconds > moment
            moment = progress.virtualNanoseconds
            guard hasMoved || progress.events > FuzzTrial.eventsInAll else { return true }
            if progress.requests > FuzzTrial.requestsMax {
                limit = .requests
            } else if progress.events > FuzzTrial.eventsMax {
                limit = .events
            }
            return limit == nil
        }
    }

    private func judge(_ result: RunResult, _ limit: Limit?) throws -> Ending {
        for check in result.summary.selfChecks where !check.ok && !check.name.hasPrefix("MSER") {
            return .failed("self-check: \(check.name): \(check.detail)")
        }
        let files = OutputFormat.builtIn.compactMap { format in
            format.text(result.output).map { (format.file, $0) }
        }
        var bytes = StableHash()
        let said = TextSummary(result.summary, style: TerminalStyle(isOn: false)).text
        for (file, text) in files + [("text", said)] {
            bytes.combine(text.utf8)
            if let problem = FuzzTrial.problem(of: text, in: file) { return .failed(problem) }
        }
        let page = files.first { $0.0 == "report.html" }?.1 ?? ""
        if let problem = AnswerCheck.problem(of: result.summary, text: said, page: page) {
            return .failed("answer: \(problem)")
        }
        let text = JSONDocument.text(result.summary)
        let read = try JSONDocument.read(RunSummary.self, from: Data(text.utf8))
        guard JSONDocument.text(read) == text else {
            return .failed("summary.json reads back as something else")
        }
        return .held(bytes: bytes.value.hexadecimal, limit)
    }

    /// A problem of a file that no run's file may have; nil if there is none.
    private static func problem(of text: String, in file: String) -> String? {
        let bytes = Array(text.utf8)
        if file.hasSuffix(".json"), !file.hasPrefix("trace") {
            do throws(JSONSyntaxError) {
                _ = try JSONParser.parse(bytes)
            } catch {
                return "\(file): \(error.problem)"
            }
        }
        if let place = bytes.firstUnfit { return "\(file), byte \(place): a hidden character" }
        return bytes.holdsNotANumber ? "\(file) holds a NaN" : nil
    }
}

extension [UInt8] {
    /// The position of a character that must not be in a file for people, terminals or line-based
    /// tools: one that controls a terminal or changes the direction of writing.
    fileprivate var firstUnfit: Int? {
        indices.first { place in
            switch self[place] {
            case 0x09, 0x0a: false
            case 0..<0x20, 0x7f: true
            case 0xc2: (0x80...0x9f).contains(byte(place + 1))
            case 0xe2 where byte(place + 1) == 0x80:
                [0x8e, 0x8f].contains(byte(place + 2)) || (0xaa...0xae).contains(byte(place + 2))
            case 0xe2 where byte(place + 1) == 0x81: (0xa6...0xa9).contains(byte(place + 2))
            default: false
            }
        }
    }

    /// True if the word `nan` is in it, in any case.
    fileprivate var holdsNotANumber: Bool {
        indices.contains { place in
            self[place] | 0x20 == UInt8(ascii: "n") && byte(place + 1) | 0x20 == UInt8(ascii: "a")
                && byte(place + 2) | 0x20 == UInt8(ascii: "n")
                && !byte(place - 1).isOfWord && !byte(place + 3).isOfWord
        }
    }

    private func byte(_ place: Int) -> UInt8 { indices.contains(place) ? self[place] : 0 }
}

extension UInt8 {
    fileprivate var isOfWord: Bool {
        switch self | 0x20 {
        // The word may be part of Base64, which can contain any letters.
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "+/_".utf8.contains(self) || self >= 0x80
        }
    }
}

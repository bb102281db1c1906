import Foundation
import SquallFormat
public import SquallLab
import SquallReport

/// One small run of a drawn profile, held against everything that must hold of any run.
///
/// It is small because it is stopped, not because its settings are: they are at their ends as often
/// as between. Where it is stopped depends on what happened in it and on nothing else, so two
/// trials of a profile stop at the same event.
public struct FuzzTrial {
    /// What came of it.
    public enum Ending: Hashable, Sendable {
        /// Everything held; a hash of the bytes of all files, and what stopped the run early.
        case held(bytes: UInt64, Limit?)
        /// Virtual time stood still, which was noticed and is the profile's own doing.
        case stoodStill
        /// It was not run, because it would take so many bytes of memory.
        case tooLarge(bytes: Int64)
        /// Something did not hold.
        case failed(String)
    }

    /// What a trial may take before it is summed up as it stands.
    public enum Limit: String, CaseIterable, Hashable, Sendable {
        /// So many calls.
        case requests
        /// So many events.
        case events
    }

    /// After so many calls a run is summed up.
    private static let requestsMax: Int64 = 400
    /// After so many jobs and events, too.
    private static let eventsMax = 100_000
    /// After so many in any case; until then a clock that does not move is given the time to be
    /// noticed.
    private static let eventsInAll = 400_000
    /// A world that takes more than this to be built is not.
    private static let bytesMax = 3e9

    private let drawn: DrawnProfile
    private let vocabulary: ProfileVocabulary
    private let isAlone: Bool

    /// A trial of a profile; `isAlone` tells that nothing else in the process has Swift jobs, so
    /// that any outside the simulated world is a failure.
    public init(
        _ drawn: DrawnProfile, _ vocabulary: ProfileVocabulary = .installed, isAlone: Bool
    ) {
        self.drawn = drawn
        self.vocabulary = vocabulary
        self.isAlone = isAlone
    }

    /// Runs it and looks.
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
        let options = LoadRun.Options(
            replayCommand: "squall run drawn.json", isStrict: isAlone,
            trace: TraceSelection("user:0"))
        let result = try LoadRun(profile: profile, named: "drawn", options: options).run {
            allowance.look(at: $0) ? .continue : .stop
        }
        return (result, allowance.limit)
    }

    /// What is left of what a run may take; a pilot run has as much again.
    private struct Allowance {
        private var moment: Int64 = 0
        private(set) var limit: Limit?

        /// Whether the run may go on.
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
        let said = TextSummary(result.summary, ink: Ink(isOn: false)).text
        for (file, text) in files + [("text", said)] {
            bytes.combine(text.utf8)
            if let problem = FuzzTrial.problem(of: text, in: file) { return .failed(problem) }
        }
        let page = files.first { $0.0 == "report.html" }?.1 ?? ""
        if let problem = AnswerCheck.problem(of: result.summary, text: said, page: page) {
            return .failed("answer: \(problem)")
        }
        let data = Data(JSONDocument.text(result.summary).utf8)
        guard try JSONDocument.read(RunSummary.self, from: data) == result.summary else {
            return .failed("summary.json reads back as something else")
        }
        return .held(bytes: bytes.value, limit)
    }

    /// What is wrong with a file whatever the run was.
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
    /// Where the UTF-8 of a character begins that has no place in a file for people, a terminal or
    /// a machine that reads lines: one that steers a terminal or turns the direction of writing.
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

    /// Whether the word `nan` stands in it, in whatever case.
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
        // A word may be of Base64, in which anything is written now and then.
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "+/_".utf8.contains(self) || self >= 0x80
        }
    }
}

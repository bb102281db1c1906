import Foundation
import SquallFormat
public import SquallLab
public import SquallProfile
import SquallReport

/// One small run of a drawn profile, held against everything that must hold of any run.
public struct FuzzTrial {
    /// What came of it.
    public enum Ending: Hashable, Sendable {
        /// Everything held; a hash of the bytes of all files.
        case held(bytes: UInt64)
        /// Virtual time stood still, which was noticed and is the profile's own doing.
        case stoodStill
        /// Something did not hold.
        case failed(String)
    }

    /// After so many calls a run is summed up as it stands.
    private static let requestsMax: Int64 = 1_000
    /// After so many looks at its progress, too: about four thousand events lie between two.
    private static let looksMax = 212

    private let drawn: DrawnProfile
    private let vocabulary: ProfileVocabulary

    /// A trial of a profile.
    public init(_ drawn: DrawnProfile, _ vocabulary: ProfileVocabulary = .installed) {
        self.drawn = drawn
        self.vocabulary = vocabulary
    }

    /// Runs it and looks.
    public func ending() -> Ending {
        do {
            let profile = try drawn.checked(vocabulary).readingArrivalLogs { file in
                try ArrivalLog(file: file, text: drawn.files[file] ?? "")
            }
            return try judge(run(profile))
        } catch is StandstillError {
            return .stoodStill
        } catch {
            return .failed("\(error)")
        }
    }

    private func run(_ profile: Profile) throws -> RunResult {
        var looks = 0
        let options = LoadRun.Options(
            replayCommand: "squall run drawn.json", isStrict: true,
            trace: TraceSelection("user:0"))
        return try LoadRun(profile: profile, named: "drawn", options: options).run { progress in
            looks += 1
            let isEnough =
                progress.requests > FuzzTrial.requestsMax || looks > FuzzTrial.looksMax
            return isEnough ? .stop : .continue
        }
    }

    private func judge(_ result: RunResult) throws -> Ending {
        for check in result.summary.selfChecks where !check.ok && !check.name.hasPrefix("MSER") {
            return .failed("self-check: \(check.name): \(check.detail)")
        }
        var bytes: UInt64 = 0xCBF2_9CE4_8422_2325
        for format in OutputFormat.builtIn {
            guard let text = format.text(result.output) else { continue }
            for byte in text.utf8 { bytes = (bytes ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            if let problem = FuzzTrial.problem(of: text, in: format.file) {
                return .failed(problem)
            }
        }
        let data = Data(JSONDocument.text(result.summary).utf8)
        guard try JSONDocument.read(RunSummary.self, from: data) == result.summary else {
            return .failed("summary.json reads back as something else")
        }
        return .held(bytes: bytes)
    }

    /// What is wrong with a file whatever the run was.
    private static func problem(of text: String, in file: String) -> String? {
        if file.hasSuffix(".json"), !file.hasPrefix("trace") {
            do throws(JSONSyntaxError) {
                _ = try JSONParser.parse(Array(text.utf8))
            } catch {
                return "\(file): \(error.problem)"
            }
        }
        for scalar in text.unicodeScalars where scalar.isUnfit {
            return "\(file) holds the character U+\(String(scalar.value, radix: 16))"
        }
        let words = text.lowercased().split { !$0.isLetter && $0 != "+" && $0 != "_" }
        return words.contains("nan") ? "\(file) holds a NaN" : nil
    }
}

extension Unicode.Scalar {
    /// Whether it has no place in a file for people, a terminal or a machine that reads lines.
    fileprivate var isUnfit: Bool {
        switch value {
        case 0x0a, 0x09: false
        case 0..<0x20, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069, 0x200e, 0x200f: true
        default: false
        }
    }
}

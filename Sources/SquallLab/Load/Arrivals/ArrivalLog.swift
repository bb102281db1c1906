import SquallFormat

/// Arrivals exactly as a file lists them; with a factor, in that pattern and so many times as fast.
public struct ArrivalLog: ArrivalShape {
    static let name = "trace"
    static let summary = "Arrivals exactly as a file lists them."
    static let needsEvenSpacing: String? = "a trace says itself when sessions arrive"
    /// The file's path, from the folder of the profile.
    let file: String
    /// When each session arrives, ascending, counted from the beginning of the stage; none before
    /// the file was read.
    private var instants: [Int64]
    /// The file's text.
    let text: String

    /// The arrivals of a file's text, one a line, such as `1.5s` or `250ms`.
    ///
    /// Empty lines and lines that begin with `#` are skipped.
    ///
    /// - Throws: the first line that is no duration or earlier than the one before.
    public init(file: String, text: String) throws(ArrivalLogError) {
        self.file = file
        self.text = text
        instants = try ArrivalLog.instants(in: text)
    }

    init(_ read: inout SettingsReader) {
        file = read(
            "file", .text(1...500),
            "A file beside the profile; each line says when a session arrives.")
        instants = []
        text = ""
    }

    func reading(_ files: [String: String]) -> ArrivalLog {
        guard let text = files[file] else { return self }
        do throws(ArrivalLogError) {
            return try ArrivalLog(file: file, text: text)
        } catch {
            preconditionFailure("\(file) was read before and is wrong now: \(error)")
        }
    }

    /// The time is stretched, not the number of arrivals: copies of each would come in one
    /// nanosecond, and every other arrival is the pattern of no users.
    func played(timesAsFast factor: Double) -> ArrivalLog? {
        guard factor != 1, factor > 0 else { return self }
        var log = self
        log.instants = instants.map { Int64(clamped: (Double($0) / factor).rounded()) }
        return log
    }

    var durationNanoseconds: Int64 { instants.last ?? 0 }

    func expected(inFirst nanoseconds: Int64) -> Double {
        var (low, high) = (0, instants.count)
        while low < high {
            let middle = (low + high) / 2
            if instants[middle] <= nanoseconds { low = middle + 1 } else { high = middle }
        }
        return Double(low)
    }

    private static func instants(in text: String) throws(ArrivalLogError) -> [Int64] {
        var instants: [Int64] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let word = line.filter { !$0.isWhitespace }
            if word.isEmpty || word.hasPrefix("#") { continue }
            do throws(UnitError) {
                instants.append(try Units.nanoseconds(word))
            } catch {
                throw ArrivalLogError(line: index + 1, problem: "\(error)")
            }
            if instants.count > 1, instants[instants.count - 2] > instants[instants.count - 1] {
                throw ArrivalLogError(
                    line: index + 1, problem: "\(word) is before the line above it")
            }
        }
        return instants
    }
}

extension Profile {
    /// The profile with its files of arrivals read.
    ///
    /// `read` is given each file's path as the profile writes it.
    ///
    /// - Throws: what `read` throws.
    public func readingArrivalLogs(
        _ read: (_ file: String) throws -> ArrivalLog
    ) rethrows -> Profile {
        var profile = self
        for index in populations.indices {
            try profile.populations[index].load.changeArrivals { arrivals in
                for stage in arrivals.stages {
                    guard let log = stage.value(as: ArrivalShapes.format) as? ArrivalLog
                    else { continue }
                    arrivals.files[log.file] = try read(log.file).text
                }
            }
        }
        return profile
    }
}

/// The first fault in a file of arrivals.
public struct ArrivalLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    let line: Int
    /// The fault of that line.
    let problem: String

    /// The problem with its place.
    public var description: String { "line \(line): \(problem)" }
}

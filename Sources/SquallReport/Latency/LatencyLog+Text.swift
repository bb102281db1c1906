public import SquallFormat

extension LatencyLog {
    private static let legend =
        #""StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram""#

    /// The log in HdrHistogram's format 1.3: times in seconds, the maximum in milliseconds, the
    /// histograms in nanoseconds.
    public var text: String {
        let head = [
            "#[Latencies in nanoseconds of virtual time, by the tags of their metrics]",
            "#[Histogram log format version 1.3]",
            "#[StartTime: 0.000 (seconds since epoch)]",
            "#[BaseTime: 0.000 (seconds since epoch)]",
            LatencyLog.legend,
        ]
        return (head + intervals.map(\.line)).map { $0 + "\n" }.joined()
    }

    /// Reads a log that `text` has written.
    ///
    /// - Throws: the wrong line and its fault.
    public init(text: String) throws(FileSyntaxError) {
        var intervals: [Interval] = []
        for (number, line) in text.split(separator: "\n").enumerated()
        where !line.hasPrefix("#") && !line.hasPrefix("\"") {
            guard let interval = Interval(line: line) else {
                throw FileSyntaxError(
                    line: number + 1, problem: "expected Tag=…, two times, a maximum, a histogram")
            }
            intervals.append(interval)
        }
        self.init(intervals: intervals)
    }
}

extension LatencyLog.Interval {
    fileprivate var line: String {
        let numbers = [
            (startNanoseconds / 1_000_000).thousandths,
            (lengthNanoseconds / 1_000_000).thousandths,
            ((histogram.maximum + 500) / 1_000).thousandths,
        ]
        let fields = ["Tag=\(tag)"] + numbers + [HistogramPayload.text(of: histogram)]
        return fields.joined(separator: ",")
    }

    fileprivate init?(line: Substring) {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0].hasPrefix("Tag="),
            let start = Int64(thousandths: fields[1]), let length = Int64(thousandths: fields[2]),
            let maximum = Int64(thousandths: fields[3]),
            let words = HistogramPayload.words(of: fields[4]),
            let histogram = PackedHistogram(words: words, maximum: maximum * 1_000)
        else { return nil }
        self.init(
            tag: String(fields[0].dropFirst(4)), startNanoseconds: start * 1_000_000,
            lengthNanoseconds: length * 1_000_000, histogram: histogram)
    }
}

extension Int64 {
    /// Reads a number with exactly three decimals, in thousandths.
    fileprivate init?(thousandths text: Substring) {
        let halves = text.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[1].count == 3, let whole = Int64(halves[0]),
            let fraction = Int64(halves[1])
        else { return nil }
        self = whole * 1_000 + fraction
    }
}

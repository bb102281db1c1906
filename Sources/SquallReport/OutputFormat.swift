/// A file of a run, with equal bytes whenever the run is repeated.
///
/// A new format is one file that declares it and one line in ``builtIn``.
///
/// ```swift
/// extension OutputFormat {
///     static let verdict = OutputFormat("verdict.txt") { $0.summary.verdict.rawValue }
/// }
/// ```
public struct OutputFormat: Sendable {
    /// The file's name.
    public let file: String
    /// Makes the file's content; `nil` when the run has none for it.
    public let text: @Sendable (RunOutput) -> String?

    /// Makes a format for a file name.
    init(_ file: String, text: @escaping @Sendable (RunOutput) -> String?) {
        self.file = file
        self.text = text
    }
}

extension OutputFormat {
    /// The formats of this package, in the order of writing.
    public static let builtIn: [OutputFormat] = [
        .summary, .timeseries, .latencies, .prometheus, .openMetrics, .junit, .page, .trace,
    ]

    /// The rows of all intervals.
    static let timeseries = OutputFormat("timeseries.csv") { $0.table.csv }
    /// The latencies of all intervals.
    static let latencies = OutputFormat("latency.hlog") { $0.latencies.text }
}

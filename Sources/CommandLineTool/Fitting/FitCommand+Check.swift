import SquallBackend
import SquallFit
import SquallFormat
import SquallHTTP
import SquallKernel
import SquallLab
import SquallReport

/// Fits the first part of a log, runs that model at the load of the rest, and compares the model
/// with the rest of the log.
extension FitCommand {
    /// The share of the log's time that is fitted; the rest is for the comparison.
    private static let fittedShare = 2.0 / 3
    /// The most requests of a model's run.
    private static let requestsMax = 200_000.0
    private static let leastSpan: Int64 = 60_000_000_000

    /// Compares log and model; nil where the log is too short to be split, or contains no
    /// durations.
    func comparison(
        with log: TrafficLog, _ options: TrafficFit.Options
    ) throws -> TrafficComparison? {
        guard log.span >= Self.leastSpan, log.reading.withDuration > 0 else { return nil }
        let (start, end) = log.reading.span
        let cut = start + Int64(Double(log.span) * Self.fittedShare)
        var options = options
        let whole = TrafficFit(log, options: options)
        options.isClosed = whole.isClosed
        let rest = log.part(from: cut, to: end)
        let fitted = TrafficFit(log.part(from: start, to: cut), options: options)
        let judged = TrafficFit(rest, options: options)
        let rate = Double(rest.reading.requests) / max(1, Double(end - cut) / 1e9)
        let span = min(Double(end - cut) / 1e9, Self.requestsMax / max(rate, 0.01))
        let profile = FittedProfile(
            fitted, file: "check", load: judged, durationMax: Int64(max(60, span) * 1e9))
        let (warmUp, duration) = profile.times
        var traffic = ModelTraffic(
            fitted, measuredFrom: warmUp, to: duration)
        var run = LoadRun.Options(replayCommand: "")
        run.serverLog = { record in
            traffic.take(
                record.endpoint.name, began: record.arrived.nanoseconds,
                duration: record.replied.nanoseconds - record.arrived.nanoseconds,
                status: record.status, user: record.cause.user)
        }
        _ = try self.run(read(fitted: profile.text), named: "check", run)
        guard !interruption.isRequested else { return nil }
        return TrafficComparison(log: judged.log, model: traffic.traffic)
    }
}

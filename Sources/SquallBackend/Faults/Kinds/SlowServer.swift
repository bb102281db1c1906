import SquallFormat
import SquallKernel

/// The work on a request takes longer: times a factor, and plus something.
struct SlowServer: FaultKind {
    static let name = "slowServer"
    static let reach = FaultReach.attempts
    let factor: Double
    let added: Distribution

    var effect: FaultEffect {
        .service { span, stroke in
            let sample = added.sample(stroke.details, at: stroke.exchange.draw)
            // Not longer than a year: no run lasts that long.
            let stretched = min(Double(Span.year), Double(span) * factor)
            span = min(Span.year, Int64(stretched).clampedSum(sample))
        }
    }
}

extension SlowServer {
    init(_ read: inout SettingsReader) {
        factor = read(
            "factor", .number(0...1_000_000), otherwise: 1,
            "The time a worker needs is multiplied by this.")
        added = read(
            "added", .distribution(0...Span.hour), otherwise: "0s",
            "This is added to the time a worker needs.")
    }
}

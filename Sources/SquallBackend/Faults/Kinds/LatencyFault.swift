import SquallFormat
import SquallKernel

/// Both ways take longer: times a factor, and each plus something; in a profile the way up only.
struct LatencyFault: FaultKind {
    static let name = "latency"
    static let reach = FaultReach.attempts
    let factor: Double
    let added: Distribution
    var addedDown = Distribution.constant(nanoseconds: 0)

    var effect: FaultEffect {
        .wire(
            up: { transmission, stroke in
                let sample = added.sample(stroke.details, at: stroke.exchange.draw)
                transmission.stretch(by: factor, plus: sample)
            },
            down: { transmission, _, stroke in
                let sample = addedDown.sample(stroke.details, at: stroke.exchange.draw)
                transmission.stretch(by: factor, plus: sample)
            })
    }
}

extension LatencyFault {
    init(_ read: inout SettingsReader) {
        factor = read(
            "factor", .number(0...1_000_000), otherwise: 1, "Latency is multiplied by this.")
        added = read(
            "added", .distribution(0...Span.hour), otherwise: "0s", "This is added to the way up.")
    }
}

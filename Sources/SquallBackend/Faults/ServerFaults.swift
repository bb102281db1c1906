import SquallFormat
import SquallKernel

/// A worker spends its time, nothing changes, and the answer has this status.
struct ServerError: FaultKind {
    static let name = "serverError"
    static let reach = FaultReach.attempts
    let status: Int
    /// What `Retry-After` says; `nil` for what the service says with such a status.
    var retryAfterNanoseconds: Int64?

    var effect: FaultEffect {
        let failure = FaultFailure(status: status, retryAfterNanoseconds: retryAfterNanoseconds)
        return .work { _ in failure }
    }
}

extension ServerError {
    init(_ read: inout SettingsReader) {
        status = read("status", .integer(400...599), "The status that the server returns.")
        retryAfterNanoseconds = read.optional(
            "retryAfter", .duration(Span.second...Span.hour),
            "What its Retry-After says, rounded up to whole seconds; by default what the service"
                + " says with such a status.")
    }
}

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

/// Only this many workers are there.
struct CapacityLoss: FaultKind {
    static let name = "capacity"
    static let reach = FaultReach.server
    let workers: Int

    var effect: FaultEffect { .workers(workers) }
}

extension CapacityLoss {
    init(_ read: inout SettingsReader) {
        workers = read("workers", .integer(0...1_000_000), "How many workers are left.")
    }
}

/// Each worker's clock is ahead or behind by up to this, evenly.
struct ClockSkew: FaultKind {
    static let name = "clockSkew"
    static let reach = FaultReach.server
    let nanoseconds: Int64

    var effect: FaultEffect { .clocks(nanoseconds: nanoseconds) }
}

extension ClockSkew {
    init(_ read: inout SettingsReader) {
        nanoseconds = read("skew", .duration(0...Span.day), "How wrong clocks are at most.")
    }
}

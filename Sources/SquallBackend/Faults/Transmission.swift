import SquallFormat
import SquallHTTP

/// One way through the network.
struct Transmission: Equatable {
    var delay: Int64
    var end = End.arrives
    /// True to deliver the same bytes twice.
    var isDoubled = false
    /// True if a connection is set up by it, or together with it.
    var opensConnection = true

    /// What comes at its end.
    enum End: Equatable {
        case arrives
        /// Nothing, ever.
        case vanishes
        /// The connection breaks, and the client is told so.
        case breaks(TransportError.Code)
    }

    mutating func goOffline() { (delay, end) = (0, .breaks(.notConnectedToInternet)) }

    /// Loses what travels; over a connection that was not set up nothing does.
    mutating func lose(_ notice: LossNotice) {
        guard end == .arrives else { return }
        end = notice == .timeout ? .vanishes : .breaks(.networkConnectionLost)
    }

    /// Makes it take longer, but not longer than a year: no run lasts that long.
    mutating func stretch(by factor: Double, plus added: Int64) {
        let stretched = min(Double(Span.year), Double(delay) * factor)
        delay = min(Span.year, Int64(stretched).clampedSum(added))
    }
}

/// How a client learns that a request or its response was lost.
public enum LossNotice: String, Hashable, Sendable, CaseIterable {
    /// By its own time-out: nothing ever comes.
    case timeout
    /// By the connection, which breaks when the bytes should have arrived.
    case connectionLost
}

extension SettingsReader {
    /// How a client learns of the losses that a fault makes.
    mutating func lossNotice() -> LossNotice {
        self(
            "lossNotice", .choice(LossNotice.self), otherwise: "timeout",
            "How a client learns of a loss.")
    }
}

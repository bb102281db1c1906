import SquallFormat

/// How a client learns that a request or its answer was lost.
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

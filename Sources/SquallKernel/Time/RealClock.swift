import CVirtualClock

/// The machine's own time, also on a thread whose clocks are virtual: for measuring the engine.
public enum RealClock {
    /// Elapsed nanoseconds since some fixed moment.
    public static var nanoseconds: Int64 { squall_real_nanoseconds() }
}

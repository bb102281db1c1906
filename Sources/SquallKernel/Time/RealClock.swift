import CVirtualClock
public import Foundation

/// The machine's own time, also on a thread whose clocks are virtual: for measuring the engine.
public enum RealClock {
    /// Elapsed nanoseconds since some fixed moment.
    public static var nanoseconds: Int64 { squall_real_nanoseconds() }
}

/// What this process has used of the machine so far.
public enum ProcessUsage {
    /// The processor time of all its threads, in nanoseconds; 0 where the system does not tell.
    public static var processorNanoseconds: Int64 { usage.map(processorNanoseconds) ?? 0 }

    /// The processor time of a process that has ended, in nanoseconds.
    public static func processorNanoseconds(_ usage: rusage) -> Int64 {
        let seconds = Int64(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        let micros = Int64(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
        return seconds * 1_000_000_000 + micros * 1_000
    }

    /// The most memory that it has had; nil where the system does not tell.
    public static var peakMemoryBytes: Int64? { usage.map(peakMemoryBytes) }

    /// The most memory that a process which has ended had.
    public static func peakMemoryBytes(_ usage: rusage) -> Int64 {
        #if canImport(Darwin)
            let unit: Int64 = 1
        #else
            let unit: Int64 = 1_024
        #endif
        return Int64(usage.ru_maxrss) * unit
    }

    private static var usage: rusage? {
        var usage = rusage()
        #if canImport(Glibc)
            let process = __rusage_who_t(RUSAGE_SELF.rawValue)
        #else
            let process = RUSAGE_SELF
        #endif
        return getrusage(process, &usage) == 0 ? usage : nil
    }
}

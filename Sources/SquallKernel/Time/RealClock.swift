import CVirtualClock
import Foundation

/// The machine's own time, also on a thread whose clocks are virtual: for measuring the engine.
public enum RealClock {
    /// Elapsed nanoseconds since some fixed moment.
    public static var nanoseconds: Int64 { squall_real_nanoseconds() }
}

/// The processor time that this process has used.
public enum ProcessorTime {
    /// Nanoseconds of all its threads so far; 0 where the system does not tell.
    public static var nanoseconds: Int64 {
        var usage = rusage()
        #if os(Linux)
            let process = __rusage_who_t(RUSAGE_SELF.rawValue)
        #else
            let process = RUSAGE_SELF
        #endif
        guard getrusage(process, &usage) == 0 else { return 0 }
        let seconds = Int64(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        let micros = Int64(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
        return seconds * 1_000_000_000 + micros * 1_000
    }
}

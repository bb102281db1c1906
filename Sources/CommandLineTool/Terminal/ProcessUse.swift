import Foundation

/// What the system says that this process has used.
enum ProcessUse {
    /// The processor time so far, in milliseconds; 0 where the system does not tell.
    static var milliseconds: Int {
        guard let usage else { return 0 }
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        return seconds * 1_000 + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000
    }

    /// The most memory it ever used, in bytes; nil where the system does not tell.
    static var peakBytes: Int64? {
        #if os(Linux)
            usage.map { Int64($0.ru_maxrss) * 1_024 }
        #else
            usage.map { Int64($0.ru_maxrss) }
        #endif
    }

    /// Begins to look for the most memory anew.
    static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// The most memory since the last time it was forgotten, in megabytes.
    static var peakMegabytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_000
    }

    private static var usage: rusage? {
        var usage = rusage()
        #if os(Linux)
            let process = __rusage_who_t(RUSAGE_SELF.rawValue)
        #else
            let process = RUSAGE_SELF
        #endif
        return getrusage(process, &usage) == 0 ? usage : nil
    }
}

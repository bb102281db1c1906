import Foundation

/// What the system says that this process has used.
enum ProcessUse {
    /// The processor time so far, in milliseconds.
    static var milliseconds: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        return seconds * 1_000 + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000
    }

    /// Begins to look for the most memory anew.
    static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// The most memory since the start, or since the last time it was forgotten.
    static var peakMegabytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_000
    }
}

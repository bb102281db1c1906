import Foundation

/// What this build is.
enum Version {
    static let current = "1.0.0"

    static var buildMode: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    static var toolchain: String {
        #if compiler(>=6.4)
            "Swift 6.4 or later"
        #elseif compiler(>=6.3)
            "Swift 6.3"
        #else
            "Swift before 6.3"
        #endif
    }

    static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "unknown"
        #endif
    }

    /// The most memory this process ever used, in bytes; nil where the system does not tell.
    static var peakMemoryBytes: Int64? {
        var usage = rusage()
        #if os(Linux)
            let (whose, unit) = (__rusage_who_t(RUSAGE_SELF.rawValue), Int64(1_024))
        #else
            let (whose, unit) = (RUSAGE_SELF, Int64(1))
        #endif
        return getrusage(whose, &usage) == 0 ? Int64(usage.ru_maxrss) * unit : nil
    }
}

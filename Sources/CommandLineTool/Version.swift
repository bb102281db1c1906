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

    /// What tells this build from others: a hash of the program's own file.
    ///
    /// Schedules belong to a build, because the optimiser decides how many points they have.
    static var fingerprint: String {
        let file = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else { return "?" }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        data.withUnsafeBytes { bytes in
            for word in bytes.bindMemory(to: UInt64.self) {
                let product = (hash ^ word).multipliedFullWidth(by: 0x9FB2_1C65_1E98_DF25)
                hash = product.high ^ product.low
            }
        }
        return "\(current)-\(buildMode)-\(String(hash, radix: 16))"
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

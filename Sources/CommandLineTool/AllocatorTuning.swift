import Foundation

/// How the C library keeps freed memory; on glibc a tenth of a run's time depends on it.
///
/// glibc has seven freed blocks of each size within easy reach. A world frees and needs again
/// thousands at a time, one for each task, and with seven most of them are merged, sorted and split
/// again. A world of many users is also spread over so many pages of memory that finding a page
/// takes longer than reading it: with large pages a run of 10,000 users is a tenth shorter. Both
/// can only be asked for in the environment, so the process replaces itself once by the same
/// program with the same arguments; whoever sets the variable keeps what was set.
enum AllocatorTuning {
    static let variable = "GLIBC_TUNABLES"
    private static let setting = "glibc.malloc.tcache_count=2000:glibc.malloc.hugetlb=1"

    /// Returns where the setting is in force, is somebody else's choice, or cannot be had.
    static func apply() {
        #if canImport(Glibc)
            guard getenv(variable) == nil, let path = Version.executable?.systemPath,
                setenv(variable, setting, 0) == 0
            else { return }
            _ = execv(path, CommandLine.unsafeArgv)
        #endif
    }
}

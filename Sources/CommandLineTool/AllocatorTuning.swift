import Foundation

/// Sets how the C library keeps freed memory; on glibc a tenth of a run's time depends on it.
///
/// glibc keeps seven freed blocks of each size in a fast cache. A world frees and allocates
/// thousands at a time, one for each task, so most of them would be merged, sorted and split again:
/// with 100,000 users even where two thousand are kept.
/// The memory of many users also covers so many pages that looking up a page takes longer than
/// reading it: large pages make a run of 10,000 users a tenth shorter. Both can only be set in the
/// environment, so the process replaces itself once by the same program with the same arguments.
/// A variable that the user has set stays as it is.
enum AllocatorTuning {
    static let variable = "GLIBC_TUNABLES"
    private static let setting = "glibc.malloc.tcache_count=65535:glibc.malloc.hugetlb=1"

    /// Restarts the process, unless the variable is set already or cannot be set.
    static func apply() {
        #if canImport(Glibc)
            guard getenv(variable) == nil, let path = Version.executable?.systemPath,
                setenv(variable, setting, 0) == 0
            else { return }
            _ = execv(path, CommandLine.unsafeArgv)
        #endif
    }
}

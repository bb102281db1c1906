import Foundation
import SquallReport

extension PerformedCommand {
    /// The manifest of a result: the facts of this machine and moment.
    func manifest(
        ofRequests requests: Int64, _ source: Manifest.Source? = nil,
        since started: (date: String, elapsed: Int64)
    ) -> Manifest {
        Manifest(
            version: Version.current, commit: Version.commit, build: Version.stamp,
            toolchain: Version.toolchain, buildMode: Version.buildMode,
            system: ProcessInfo.processInfo.operatingSystemVersionString,
            architecture: Version.architecture,
            processors: Int64(ProcessInfo.processInfo.activeProcessorCount),
            command: ProcessInfo.processInfo.arguments, source: source,
            startedAt: started.date,
            wallNanoseconds: console.elapsedNanoseconds - started.elapsed,
            requests: requests, peakMemoryBytes: peakMemoryBytes)
    }

    /// The peak memory of the process; nil where the system does not tell.
    private var peakMemoryBytes: Int64? {
        var usage = rusage()
        #if os(Linux)
            let (process, unit) = (__rusage_who_t(RUSAGE_SELF.rawValue), Int64(1_024))
        #else
            let (process, unit) = (RUSAGE_SELF, Int64(1))
        #endif
        return getrusage(process, &usage) == 0 ? Int64(usage.ru_maxrss) * unit : nil
    }
}

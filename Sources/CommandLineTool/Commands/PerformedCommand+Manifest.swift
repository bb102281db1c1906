import Foundation
import SquallKernel
import SquallReport
import SquallSockets

extension PerformedCommand {
    /// The manifest of a result: the facts of this machine and moment.
    func manifest(
        ofRequests requests: Int64, _ source: Manifest.Source? = nil,
        since started: (date: String, elapsed: Int64)
    ) -> Manifest {
        var manifest = Manifest(
            version: Version.current, commit: Version.commit, build: Version.stamp,
            toolchain: Version.toolchain, buildMode: Version.buildMode,
            system: ProcessInfo.processInfo.operatingSystemVersionString,
            architecture: Version.architecture,
            processors: Int64(ProcessInfo.processInfo.activeProcessorCount),
            command: ProcessInfo.processInfo.arguments, source: source,
            startedAt: started.date,
            wallNanoseconds: console.elapsedNanoseconds - started.elapsed,
            requests: requests, peakMemoryBytes: ProcessUsage.peakMemoryBytes)
        manifest.tlsLibrary = TLSLibrary.version(mayLoad: false)
        if !arguments.defaults.isEmpty { manifest.defaults = arguments.defaults }
        return manifest
    }
}

import Foundation
import SquallKernel

/// The processor time and memory that this process has used.
enum ProcessUse {
    /// The processor time so far, in milliseconds; 0 where the system does not tell.
    static var milliseconds: Int { Int(ProcessUsage.processorNanoseconds / 1_000_000) }

    /// Resets the peak of memory.
    static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// The peak of memory since the last reset, in megabytes.
    static var peakMegabytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_000
    }

    /// Memory that the program has got from the C library and not freed, in bytes, including each
    /// thread's cache of small blocks; nil where the C library does not tell.
    static var liveBytes: Int? {
        // glibc's function, which the compiler's headers lack; the last line of each kind of total
        // in its text is for all heaps together.
        guard let address = dlsym(nil, "malloc_info") else { return nil }
        typealias MallocInfo = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
        var buffer: UnsafeMutablePointer<CChar>?
        var count = 0
        guard let file = open_memstream(&buffer, &count) else { return nil }
        let status = unsafeBitCast(address, to: MallocInfo.self)(0, file)
        fclose(file)
        defer { free(buffer) }
        guard status == 0, let buffer else { return nil }
        let lines = String(cString: buffer).split(separator: "\n")
        func size(_ start: String) -> Int? {
            let words = lines.last { $0.hasPrefix(start) }?.split(separator: "\"")
            return words.flatMap { $0.dropLast().last }.flatMap { Int($0) }
        }
        guard let system = size("<system type=\"current\""),
            let fast = size("<total type=\"fast\""),
            let rest = size("<total type=\"rest\""), let mapped = size("<total type=\"mmap\"")
        else { return nil }
        return system - fast - rest + mapped
    }
}

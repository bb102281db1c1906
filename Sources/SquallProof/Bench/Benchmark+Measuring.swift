import Foundation
import SquallKernel

extension Benchmark {
    /// Measures the time of a number of operations.
    public static func sample(
        _ operations: Int, _ work: () throws -> Void
    ) rethrows -> Sample {
        let before = RealClock.nanoseconds
        try work()
        return Sample(operations: operations, nanoseconds: RealClock.nanoseconds - before)
    }

    /// Makes something, and measures the time and the memory that it takes of each of `count`.
    static func resident<Made>(
        _ count: Int64, each: String, _ make: () throws -> Made
    ) rethrows -> (made: Made, nanoseconds: Int64, note: String) {
        let (bytes, before) = (residentBytes, RealClock.nanoseconds)
        let made = try make()
        let nanoseconds = RealClock.nanoseconds - before
        return (made, nanoseconds, "\(max(0, residentBytes - bytes) / count) B resident \(each)")
    }

    /// The current memory of the process; 0 where the system does not tell.
    private static var residentBytes: Int64 {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
            return 0
        }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int64(fields[1]) ?? 0) * Int64(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}

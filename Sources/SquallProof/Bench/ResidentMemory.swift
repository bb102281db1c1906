import Foundation
import SquallLab

/// The current memory of the process.
enum ResidentMemory {
    /// Resident bytes; 0 where the system does not tell.
    static var bytes: Int64 {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
            return 0
        }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int64(fields[1]) ?? 0) * 4_096 : 0
    }
}

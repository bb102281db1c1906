import SquallFormat

/// Only this many workers are there.
struct CapacityLoss: FaultKind {
    static let name = "capacity"
    static let reach = FaultReach.server
    let workers: Int

    var effect: FaultEffect { .workers(workers) }
}

extension CapacityLoss {
    init(_ read: inout SettingsReader) {
        workers = read("workers", .integer(0...1_000_000), "How many workers are left.")
    }
}

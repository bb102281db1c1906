import SquallFormat

/// Each worker's clock is ahead or behind by up to this, evenly.
struct ClockSkew: FaultKind {
    static let name = "clockSkew"
    static let reach = FaultReach.server
    let nanoseconds: Int64

    var effect: FaultEffect { .clocks(nanoseconds: nanoseconds) }
}

extension ClockSkew {
    init(_ read: inout SettingsReader) {
        nanoseconds = read("skew", .duration(0...Span.day), "How wrong clocks are at most.")
    }
}

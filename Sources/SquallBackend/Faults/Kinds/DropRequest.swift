import SquallFormat

/// The server never sees the request.
struct DropRequest: FaultKind {
    static let name = "dropRequest"
    static let reach = FaultReach.attempts
    let notice: LossNotice

    var effect: FaultEffect {
        .wire(up: { transmission, _ in transmission.lose(notice) }, down: nil)
    }
}

extension DropRequest {
    init(_ read: inout SettingsReader) {
        notice = read.lossNotice()
    }
}

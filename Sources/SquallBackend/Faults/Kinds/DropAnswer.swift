import SquallFormat

/// The server does what was asked, and the client never learns of it.
struct DropAnswer: FaultKind {
    static let name = "dropAnswer"
    static let reach = FaultReach.attempts
    let notice: LossNotice

    var effect: FaultEffect {
        .wire(up: nil, down: { transmission, _, _ in transmission.lose(notice) })
    }
}

extension DropAnswer {
    init(_ read: inout SettingsReader) {
        notice = read.lossNotice()
    }
}

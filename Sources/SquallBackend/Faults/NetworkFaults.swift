import SquallFormat
import SquallHTTP
import SquallKernel

/// Both ways take longer: times a factor, and each plus something; in a profile the way up only.
struct LatencyFault: FaultKind {
    static let name = "latency"
    static let reach = FaultReach.attempts
    let factor: Double
    let added: Distribution
    var addedDown = Distribution.constant(nanoseconds: 0)

    var effect: FaultEffect {
        .wire(
            up: { transmission, stroke in
                let sample = added.sample(stroke.details, at: stroke.exchange.draw)
                transmission.stretch(by: factor, plus: sample)
            },
            down: { transmission, _, stroke in
                let sample = addedDown.sample(stroke.details, at: stroke.exchange.draw)
                transmission.stretch(by: factor, plus: sample)
            })
    }
}

extension LatencyFault {
    init(_ read: inout SettingsReader) {
        factor = read(
            "factor", .number(0...1_000_000), otherwise: 1, "Latency is multiplied by this.")
        added = read(
            "added", .distribution(0...Span.hour), otherwise: "0s", "This is added to the way up.")
    }
}

/// No connection comes about, and the client learns of it after the time of the way up.
struct RefuseConnection: FaultKind {
    static let name = "refuseConnection"
    static let reach = FaultReach.attempts

    var effect: FaultEffect {
        .wire(
            up: { transmission, _ in transmission.end = .breaks(.cannotConnectToHost) }, down: nil)
    }
}

extension RefuseConnection {
    init(_ read: inout SettingsReader) { self.init() }
}

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

/// The server gets the request again, one trip's time later; the client gets one answer.
struct DuplicateRequest: FaultKind {
    static let name = "duplicate"
    static let reach = FaultReach.attempts

    var effect: FaultEffect {
        .wire(up: { transmission, _ in transmission.isDoubled = true }, down: nil)
    }
}

extension DuplicateRequest {
    init(_ read: inout SettingsReader) { self.init() }
}

/// The answer's second half is missing, as behind a proxy that ends a stream too soon.
struct PartialBody: FaultKind {
    static let name = "partialBody"
    static let reach = FaultReach.attempts

    var effect: FaultEffect {
        .wire(
            up: nil,
            down: { _, answer, _ in
                answer.body = Body(Array(answer.body.bytes.prefix(answer.body.count / 2)))
            })
    }
}

extension PartialBody {
    init(_ read: inout SettingsReader) { self.init() }
}

/// Some bytes of the answer are overwritten with ones that no UTF-8 text has.
struct CorruptBody: FaultKind {
    static let name = "corruptBody"
    static let reach = FaultReach.attempts

    var effect: FaultEffect {
        .wire(
            up: nil,
            down: { _, answer, stroke in
                let stream = stroke.details.stream(number: stroke.exchange.draw)
                answer.body = answer.body.corrupted(stream)
            })
    }
}

extension CorruptBody {
    init(_ read: inout SettingsReader) { self.init() }
}

extension Body {
    /// The bytes with about one in 64, but at least one, replaced by `0xFF`.
    fileprivate func corrupted(_ stream: RandomStream) -> Body {
        guard !isEmpty else { return self }
        var bytes = bytes
        for index in 0..<UInt64(1 + count / 64) {
            bytes[Int(stream.integer(below: UInt64(count), at: index))] = 0xFF
        }
        return Body(bytes)
    }
}

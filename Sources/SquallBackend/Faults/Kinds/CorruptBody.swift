import SquallFormat
import SquallHTTP
import SquallKernel

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

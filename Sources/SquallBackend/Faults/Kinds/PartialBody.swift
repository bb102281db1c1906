import SquallFormat
import SquallHTTP

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

import SquallBackend
import SquallHTTP

extension Answer {
    /// A success.
    static func ok(_ body: Body) -> Answer { Answer(status: 200, body: body) }

    /// A success with one object.
    static func object(_ members: (inout JSONWriter) -> Void) -> Answer {
        var writer = JSONWriter()
        writer.object(members)
        return .ok(writer.body)
    }

    /// A refusal of the contract.
    static func refused(_ refusal: Refusal) -> Answer { refusal.answer }
}

internal import HTTP

/// What the server answers: a status and a body.
struct Answer {
    let status: Int
    let body: Body
    /// How many objects of a list it holds.
    var items = 0
    /// How many rows had to be looked at to find them.
    var rowsScanned = 0

    /// A success.
    static func ok(_ body: Body) -> Answer { Answer(status: 200, body: body) }

    /// A success that says one object.
    static func object(_ members: (inout JSONWriter) -> Void) -> Answer {
        var writer = JSONWriter()
        writer.object(members)
        return .ok(writer.body)
    }

    /// A refusal of the contract.
    static func refused(_ refusal: Refusal) -> Answer { refusal.answer }
}

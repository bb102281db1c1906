import SquallHTTP

/// What the server answers: a status and a body.
struct Answer {
    let status: Int
    var body: Body
    /// The page that it is, if it is one of a list.
    var page: ListPage?
    /// How long the client is asked to stay away; 0 for not at all.
    var retryAfterSeconds = 0

    /// How many objects the page of a list holds; `nil` for any other answer.
    var items: Int? { page?.items.count }

    /// How many rows had to be looked at to find them.
    var rowsScanned: Int { page?.rowsScanned ?? 0 }

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

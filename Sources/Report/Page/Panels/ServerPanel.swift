/// How busy the server was, and what it turned away.
struct ServerPanel: Panel {
    private let server: JSON

    init(_ run: SavedRun) { server = run.summary["serverView"] }

    let title = "Server"
    let note = "Over the whole run, warm-up and drain included."
    let absence = "No request reached the server."

    var content: [Markup] {
        guard server["received"].integer > 0 else { return [] }
        let table = DataTable(
            headings: ["workers", "busy", "longest line", "received", "replied"],
            rows: [
                [
                    .count(server["workers"].integer), .percent(server["utilisation"].number),
                    .count(server["longestQueue"].integer), .count(server["received"].integer),
                    .count(server["replied"].integer),
                ]
            ])
        return [table.markup()] + shed
    }

    private var shed: [Markup] {
        let rows = server["shed"].elements
        guard !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: ["endpoint", "turned away"],
            rows: rows.map { [.text($0["endpoint"].text), .count($0["count"].integer)] })
        return [Markup("h3", "Turned away for lack of room"), table.markup(isSortable: true)]
    }
}

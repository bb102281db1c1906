import SquallBackend

/// Listeners' values for each population, or step, and call: found by position, without a hash.
struct SlotTable<Slot> {
    private var rows: [[Slot?]] = []

    /// The value for a row and an endpoint, where several kinds may be told apart; made when the
    /// first event of its kind happens.
    mutating func slot(
        _ row: Int, _ endpoint: Endpoint, _ kind: Int = 0, of kinds: Int = 1, make: () -> Slot
    ) -> Slot {
        let column = Int(endpoint.number) * kinds + kind
        if row < rows.count, column < rows[row].count, let slot = rows[row][column] { return slot }
        let slot = make()
        while rows.count <= row { rows.append([]) }
        while rows[row].count <= column { rows[row].append(nil) }
        rows[row][column] = slot
        return slot
    }
}

import SquallBackend

/// Listeners' values for each population, or step, and call: found by position, without a hash.
struct SlotTable<Slot> {
    private var rows: [[Slot?]] = []

    /// The value for a row and an endpoint, where several kinds may be told apart.
    subscript(row: Int, endpoint: Endpoint, kind: Int = 0, of kinds: Int = 1) -> Slot? {
        get {
            let column = Int(endpoint.number) * kinds + kind
            return row < rows.count && column < rows[row].count ? rows[row][column] : nil
        }
        set {
            let column = Int(endpoint.number) * kinds + kind
            while rows.count <= row { rows.append([]) }
            while rows[row].count <= column { rows[row].append(nil) }
            rows[row][column] = newValue
        }
    }
}

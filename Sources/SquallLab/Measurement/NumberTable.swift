import SquallBackend

/// Values by numbers, in one open table, for things under way, of which few exist at a time.
///
/// A dictionary's hash resists chosen keys, and takes longer than the rest of a look-up. A free
/// place is known by its key: looking into an optional would copy a large value. It keeps the value
/// that it had until another takes it, because a value that stands for none is a copy, too.
struct NumberTable<Value> {
    private var keys: [UInt64] = []
    private var values: [Value] = []
    private var count = 0
    private let none: Value

    /// A table without values, of which each begins as the one that stands for none.
    init(none: Value) { self.none = none }

    /// The key of a free place, which no value has.
    private static var free: UInt64 { .max }

    func contains(_ key: UInt64) -> Bool { place(of: key) != nil }

    subscript(key: UInt64) -> Value? {
        get { place(of: key).flatMap { values[$0] } }
        set {
            guard let newValue else { return _ = removeValue(forKey: key) }
            set(newValue, for: key)
        }
    }

    /// Changes the value for a number, which begins as the one that stands for none.
    mutating func change<Result>(_ key: UInt64, _ body: (inout Value) -> Result) -> Result {
        let (place, isNew) = room(for: key)
        if isNew { values[place] = none }
        return body(&values[place])
    }

    /// Sets the value for a number.
    mutating func set(_ value: Value, for key: UInt64) { values[room(for: key).place] = value }

    mutating func removeValue(forKey key: UInt64) -> Value? {
        remove(key) { [none] value in
            var taken = none
            swap(&taken, &value)
            return taken
        }
    }

    /// Removes the value for a number, after a last look at it where it lies.
    mutating func remove<Result>(_ key: UInt64, _ look: (inout Value) -> Result) -> Result? {
        guard let place = place(of: key) else { return nil }
        let result = look(&values[place])
        count -= 1
        // Those behind it move up to where they would be found without it.
        var (hole, next) = (place, after(place))
        while keys[next] != Self.free {
            if distance(from: home(of: keys[next]), to: next) >= distance(from: hole, to: next) {
                keys[hole] = keys[next]
                values.swapAt(hole, next)
                hole = next
            }
            next = after(next)
        }
        keys[hole] = Self.free
        return result
    }

    private func place(of key: UInt64) -> Int? {
        guard count > 0 else { return nil }
        var place = home(of: key)
        while keys[place] != Self.free {
            if keys[place] == key { return place }
            place = after(place)
        }
        return nil
    }

    /// The place of a number's value, or a free one, which is new and then counts as taken.
    private mutating func room(for key: UInt64) -> (place: Int, isNew: Bool) {
        if (count + 1) * 2 > keys.count { grow() }
        var place = home(of: key)
        while keys[place] != Self.free {
            if keys[place] == key { return (place, false) }
            place = after(place)
        }
        count += 1
        keys[place] = key
        return (place, true)
    }

    private mutating func grow() {
        let old = zip(keys, values)
        keys = Array(repeating: Self.free, count: max(16, keys.count * 2))
        values = Array(repeating: none, count: keys.count)
        count = 0
        for (key, value) in old where key != Self.free { set(value, for: key) }
    }

    private func home(of key: UInt64) -> Int {
        let hash = key &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: hash ^ hash >> 32) & (keys.count - 1)
    }

    private func after(_ place: Int) -> Int { (place + 1) & (keys.count - 1) }

    private func distance(from first: Int, to second: Int) -> Int {
        (second &- first) & (keys.count - 1)
    }
}

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

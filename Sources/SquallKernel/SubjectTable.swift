/// Maps the runtime's task numbers to subjects: open addressing, entries are never removed.
///
/// A schedule asks it several times for each choice; the standard dictionary's hash took a
/// twentieth of the whole.
struct SubjectTable {
    private var keys: [UInt64] = []
    private var subjects: [ReadyEvent.Subject] = []
    private(set) var count = 0

    /// Memory for a few at once.
    mutating func makeRoom() { if keys.isEmpty { grow(to: 64) } }

    /// The subject of a number.
    ///
    /// - Precondition: it is not 0.
    subscript(key: UInt64) -> ReadyEvent.Subject? {
        guard count > 0 else { return nil }
        let slot = slot(of: key)
        return keys[slot] == key ? subjects[slot] : nil
    }

    /// Sets the subject of a number.
    mutating func insert(_ key: UInt64, _ subject: ReadyEvent.Subject) {
        if count * 2 >= keys.count { grow(to: max(64, keys.count * 2)) }
        let slot = slot(of: key)
        if keys[slot] != key { count += 1 }
        (keys[slot], subjects[slot]) = (key, subject)
    }

    /// The slot of a number, or the free one where it would stand.
    private func slot(of key: UInt64) -> Int {
        let mask = keys.count - 1
        var slot = Int(truncatingIfNeeded: key &* 0x9E37_79B9_7F4A_7C15 >> 32) & mask
        while keys[slot] != key, keys[slot] != 0 { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow(to capacity: Int) {
        let (oldKeys, oldSubjects) = (keys, subjects)
        keys = Array(repeating: 0, count: capacity)
        subjects = Array(repeating: ReadyEvent.Subject(), count: capacity)
        for (key, subject) in zip(oldKeys, oldSubjects) where key != 0 {
            let slot = slot(of: key)
            (keys[slot], subjects[slot]) = (key, subject)
        }
    }
}

/// Maps numbers to subjects, for a few at a time that are soon removed.
struct SubjectList {
    private var entries: [(key: UInt64, subject: ReadyEvent.Subject)] = []

    /// Sets the subject of a number until it is removed; an earlier one no longer counts.
    mutating func append(_ key: UInt64, _ subject: ReadyEvent.Subject) {
        guard let place = entries.lastIndex(where: { $0.key == key }) else {
            return entries.append((key, subject))
        }
        entries[place].subject = subject
    }

    /// Removes the subject of a number and returns it.
    mutating func remove(_ key: UInt64) -> ReadyEvent.Subject? {
        guard let place = entries.lastIndex(where: { $0.key == key }) else { return nil }
        defer {
            entries.swapAt(place, entries.count - 1)
            entries.removeLast()
        }
        return entries[place].subject
    }
}

/// Pending events in order of time: a hierarchical timing wheel of eleven levels with 64 slots
/// each.
///
/// A slot at level n spans 64ⁿ ns; an entry lives at the level of the highest base-64 digit in
/// which its time differs from the cursor (Varghese and Lauck, SOSP 1987). One bitmap a level finds
/// the next slot in one instruction. Equal times keep the order in which they were inserted,
/// because entries move down a level as whole slots and in order. Insertion and cancellation are
/// O(1); popping moves an entry down at most once a level, and not at all where it is alone in its
/// slot. Entries live in one slab, 32 bytes each.
struct TimerWheel: ~Copyable {
    /// Marks the end of a list and the absence of an entry.
    private static let none: Int32 = -1
    private static let levels = 11

    private struct Entry {
        var time: UInt64
        var item: ReadyItem
        var next: Int32
        var previous: Int32
        /// How often the entry has been freed; tells stale timers from live ones.
        var generation: UInt32
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int
    private var firstFree: Int32 = none
    private let heads: UnsafeMutablePointer<Int32>
    private let tails: UnsafeMutablePointer<Int32>
    private let occupancy: UnsafeMutablePointer<UInt64>
    /// Bit n tells whether level n holds anything.
    private var occupiedLevels: UInt32 = 0
    /// No pending entry is earlier; every entry's place is relative to it.
    private var cursor: UInt64 = 0
    private(set) var count = 0
    private let nearItems: UnsafeMutablePointer<ReadyItem>
    private var nearCount = 0
    // Entries that move down together will be due soon, so their memory is asked for. It pays for
    // slots of at most 17 ms (level 4) with 64 to 255 entries, and for shorter ones from 4 entries
    // on: what fewer touch is in a cache already, and what more touch does not fit into one.
    private static let nearLevel = 4
    private static let fewNear = 4
    private static let nearMin = 64
    private static let nearMax = 256

    /// A wheel; one that is never used takes no room.
    init(isUsed: Bool = true) {
        capacity = 0
        entries = .allocate(capacity: 0)
        let slots = isUsed ? TimerWheel.levels * 64 : 0
        heads = .allocate(capacity: slots)
        tails = .allocate(capacity: slots)
        occupancy = .allocate(capacity: TimerWheel.levels)
        nearItems = .allocate(capacity: isUsed ? TimerWheel.nearMax : 0)
        heads.initialize(repeating: TimerWheel.none, count: slots)
        tails.initialize(repeating: TimerWheel.none, count: slots)
        occupancy.initialize(repeating: 0, count: TimerWheel.levels)
    }

    deinit {
        entries.deallocate()
        heads.deallocate()
        tails.deallocate()
        occupancy.deallocate()
        nearItems.deallocate()
    }

    /// Adds an entry; `time` must not be earlier than anything already drained.
    mutating func insert(_ item: ReadyItem, at time: UInt64) -> Timer {
        precondition(time >= cursor, "a timer at \(time) ns lies before \(cursor) ns")
        if firstFree == TimerWheel.none { grow() }
        let index = firstFree
        let slot = entries + Int(index)
        firstFree = slot.pointee.next
        slot.pointee.time = time
        slot.pointee.item = item
        append(index, time: time)
        count += 1
        return Timer(index: index, generation: slot.pointee.generation)
    }

    /// Removes a pending entry; `false` when it is no longer pending.
    mutating func cancel(_ timer: Timer) -> Bool {
        let entry = entries + Int(timer.index)
        guard entry.pointee.generation == timer.generation else { return false }
        unlink(timer.index, time: entry.pointee.time)
        free(timer.index)
        return true
    }

    /// Moves every entry of the next instant to `ring`, in order, and returns that instant.
    ///
    /// Returns `nil`, and moves nothing, when no entry is due at `limit` or earlier.
    mutating func drainNextInstant(upTo limit: UInt64, into ring: inout ReadyRing) -> UInt64? {
        nearCount = 0
        while occupiedLevels != 0 {
            let level = occupiedLevels.trailingZeroBitCount
            let digit = occupancy[level].trailingZeroBitCount
            let place = level * 64 + digit
            // A lone entry of the earliest slot is the earliest of all: it need not move down.
            let isAlone = heads[place] == tails[place]
            let begin =
                isAlone
                ? entries[Int(heads[place])].time : beginning(ofSlot: digit, level: level)
            guard begin <= limit else { return nil }
            cursor = begin
            if isAlone || level == 0 {
                drain(slot: digit, level: level, into: &ring)
                return begin
            }
            cascade(slot: digit, level: level)
        }
        return nil
    }

    /// When the next entry is due; `nil` when nothing is pending.
    ///
    /// - Complexity: O(entries in the earliest slot).
    var nextDue: UInt64? {
        guard occupiedLevels != 0 else { return nil }
        let level = occupiedLevels.trailingZeroBitCount
        var index = heads[level * 64 + occupancy[level].trailingZeroBitCount]
        var least = UInt64.max
        while index != TimerWheel.none {
            least = min(least, entries[Int(index)].time)
            index = entries[Int(index)].next
        }
        return least
    }

    /// Items that the last drain found to be due soon, though not yet.
    var near: UnsafeBufferPointer<ReadyItem> {
        UnsafeBufferPointer(start: nearItems, count: nearCount)
    }

    private func beginning(ofSlot digit: Int, level: Int) -> UInt64 {
        let shift = UInt64(6 * level)
        let above = shift + 6 >= 64 ? 0 : (cursor >> (shift + 6)) << (shift + 6)
        return above | UInt64(digit) << shift
    }

    @inline(__always)
    private mutating func drain(slot: Int, level: Int, into ring: inout ReadyRing) {
        var index = detach(slot: slot, level: level)
        while index != TimerWheel.none {
            let entry = entries + Int(index)
            let next = entry.pointee.next
            ring.append(entry.pointee.item)
            free(index)
            index = next
        }
    }

    private mutating func cascade(slot: Int, level: Int) {
        var index = detach(slot: slot, level: level)
        let nearBefore = nearCount
        while index != TimerWheel.none {
            let entry = entries + Int(index)
            let next = entry.pointee.next
            if level <= TimerWheel.nearLevel, nearCount < TimerWheel.nearMax {
                (nearItems + nearCount).initialize(to: entry.pointee.item)
                nearCount += 1
            }
            append(index, time: entry.pointee.time)
            index = next
        }
        // A slot with too many is left to its parts, which move down later.
        let least = level < TimerWheel.nearLevel ? TimerWheel.fewNear : TimerWheel.nearMin
        if nearCount == TimerWheel.nearMax || nearCount < nearBefore + least {
            nearCount = nearBefore
        }
    }

    private mutating func detach(slot: Int, level: Int) -> Int32 {
        let place = level * 64 + slot
        let head = heads[place]
        heads[place] = TimerWheel.none
        tails[place] = TimerWheel.none
        vacate(slot: slot, level: level)
        return head
    }

    @inline(__always)
    private mutating func vacate(slot: Int, level: Int) {
        occupancy[level] &= ~(1 << UInt64(slot))
        if occupancy[level] == 0 { occupiedLevels &= ~(1 << UInt32(level)) }
    }

    @inline(__always)
    private func place(of time: UInt64) -> (level: Int, slot: Int) {
        let difference = time ^ cursor
        let level = difference == 0 ? 0 : (63 - difference.leadingZeroBitCount) / 6
        return (level, Int(truncatingIfNeeded: time >> UInt64(6 * level)) & 63)
    }

    @inline(__always)
    private mutating func append(_ index: Int32, time: UInt64) {
        let (level, slot) = place(of: time)
        let place = level * 64 + slot
        let tail = tails[place]
        entries[Int(index)].next = TimerWheel.none
        entries[Int(index)].previous = tail
        tails[place] = index
        if tail == TimerWheel.none {
            heads[place] = index
            occupancy[level] |= 1 << UInt64(slot)
            occupiedLevels |= 1 << UInt32(level)
        } else {
            entries[Int(tail)].next = index
        }
    }

    private mutating func unlink(_ index: Int32, time: UInt64) {
        let (level, slot) = place(of: time)
        let place = level * 64 + slot
        let (next, previous) = (entries[Int(index)].next, entries[Int(index)].previous)
        if previous == TimerWheel.none {
            heads[place] = next
        } else {
            entries[Int(previous)].next = next
        }
        if next == TimerWheel.none {
            tails[place] = previous
        } else {
            entries[Int(next)].previous = previous
        }
        if heads[place] == TimerWheel.none { vacate(slot: slot, level: level) }
    }

    private mutating func free(_ index: Int32) {
        entries[Int(index)].generation &+= 1
        entries[Int(index)].next = firstFree
        firstFree = index
        count -= 1
    }

    private mutating func grow() {
        let larger = max(64, capacity * 2)
        precondition(larger <= Int(Int32.max), "more than \(Int32.max) timers are pending")
        let moved = UnsafeMutablePointer<Entry>.allocate(capacity: larger)
        moved.moveInitialize(from: entries, count: capacity)
        entries.deallocate()
        entries = moved
        for index in (capacity..<larger).reversed() {
            let blank = Entry(
                time: 0, item: ReadyItem(payload: 0, kind: 0), next: firstFree,
                previous: TimerWheel.none, generation: 0)
            (entries + index).initialize(to: blank)
            firstFree = Int32(index)
        }
        capacity = larger
    }
}

/// Names one scheduled event, to cancel it; worthless once the event is due.
public struct Timer: Hashable, Sendable {
    let index: Int32
    let generation: UInt32
}

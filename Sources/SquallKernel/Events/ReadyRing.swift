/// Something that can run now: a job of the Swift runtime, or an event for a registered handler.
struct ReadyItem {
    /// The job's bits, or the handler's argument.
    let payload: UInt64
    /// Which executor the job belongs to, or the handler's number plus `firstHandler`.
    let kind: UInt32

    /// A job for the default executor.
    static let defaultJob: UInt32 = 0
    /// A job for the main executor.
    static let mainJob: UInt32 = 1
    /// Kinds from here on name handlers.
    static let firstHandler: UInt32 = 2
}

/// What can run now, in the order in which it became ready.
struct ReadyRing: ~Copyable {
    private var items: UnsafeMutablePointer<ReadyItem>
    private var mask: Int
    private var head = 0
    private(set) var count = 0

    init() {
        mask = 63
        items = .allocate(capacity: 64)
    }

    deinit { items.deallocate() }

    /// Adds an item behind all others.
    @inline(__always)
    mutating func append(_ item: ReadyItem) {
        if count > mask { grow() }
        (items + (head &+ count) & mask).initialize(to: item)
        count &+= 1
    }

    /// Takes the item that has waited longest.
    ///
    /// - Precondition: the ring is not empty.
    @inline(__always)
    mutating func removeFirst() -> ReadyItem {
        let item = items[head & mask]
        head = (head &+ 1) & mask
        count &-= 1
        return item
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<ReadyItem>.allocate(capacity: (mask + 1) * 2)
        for index in 0..<count {
            (larger + index).initialize(to: items[(head + index) & mask])
        }
        items.deallocate()
        items = larger
        mask = mask * 2 + 1
        head = 0
    }
}

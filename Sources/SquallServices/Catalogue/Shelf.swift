import SquallKernel

/// The order that a search asks for.
enum CatalogueSort: String {
    /// By relevance.
    case sim
    /// Newest first.
    case date
    /// Cheapest first.
    case asc
    /// Dearest first.
    case dsc
}

/// Items of one kind in every order they can be asked for.
///
/// A page costs what an offset costs: all rows before it are scanned. Items come and go as virtual
/// time passes, and every change before a page moves it.
struct Shelf {
    private let plan: CataloguePlan
    private let stream: RandomStream
    private var relevance: Ranking
    private var age: Ranking
    private var price: Ranking
    private var changes = Changes()

    /// What was added and removed since the beginning, and when the next change is due.
    private struct Changes {
        var inserted: UInt64 = 0
        var removed: UInt64 = 0
        var nextInsert: Int64 = 0
        var nextRemoval: Int64 = 0
    }

    init(_ items: CatalogueItems, plan: CataloguePlan, randomness: RandomStream) {
        self.plan = plan
        stream = randomness
        let numbers = (0..<Int32(plan.items)).map { $0 }
        relevance = Ranking(numbers) { items.relevance($0) }
        age = Ranking(numbers) { UInt64(items.day($0)) }
        price = Ranking(numbers) { UInt64(items.price($0)) }
        changes.nextInsert = gap(plan.insertGap, "insert", 0)
        changes.nextRemoval = gap(plan.removalGap, "removal", 0)
    }

    /// How many items there are.
    var count: Int { relevance.numbers.count }

    /// The numbers of the items that there are.
    var items: [Int32] { relevance.numbers }

    /// How many items there have ever been; the next one gets this number.
    private var itemsEver: Int { plan.items + Int(changes.inserted) }

    /// Lets everything happen that is due by an instant.
    mutating func advance(to now: Instant) {
        while min(changes.nextInsert, changes.nextRemoval) <= now.nanoseconds {
            if changes.nextInsert <= changes.nextRemoval {
                insert()
                changes.nextInsert += gap(plan.insertGap, "insert", changes.inserted)
            } else {
                removeAny()
                changes.nextRemoval += gap(plan.removalGap, "removal", changes.removed)
            }
        }
    }

    /// Adds an item, newer than all others.
    mutating func insert() {
        let number = Int32(itemsEver)
        changes.inserted += 1
        for ranking in [\Shelf.relevance, \.age, \.price] { self[keyPath: ranking].insert(number) }
    }

    /// Takes an item away.
    mutating func remove(_ number: Int32) {
        for ranking in [\Shelf.relevance, \.age, \.price] { self[keyPath: ranking].remove(number) }
    }

    /// Some items in order, what it took to find them, and where the next ones begin.
    struct Page {
        var numbers: [Int32] = []
        var rowsScanned = 0
        var next: CatalogueCursor?
        /// Whether nothing stood behind them.
        var isLast = false
        /// How many items there had ever been on the shelf.
        var itemsEver = 0
    }

    /// A page by its offset; `start` counts from 1.
    func page(_ sort: CatalogueSort, start: Int, display: Int, search: UInt64) -> Page {
        let first = min(start - 1, count)
        let range = first..<min(first + display, count)
        let disorder = plan.breaksTies ? nil : stream.stream("ties").stream(number: search)
        let numbers =
            switch sort {
            case .sim: relevance.slice(range, disorder: nil)
            case .asc: price.slice(range, disorder: disorder)
            case .date: Array(age.slice(mirrored(range), disorder: disorder).reversed())
            case .dsc: Array(price.slice(mirrored(range), disorder: disorder).reversed())
            }
        return Page(
            numbers: numbers, rowsScanned: range.upperBound, isLast: range.upperBound == count,
            itemsEver: itemsEver)
    }

    /// A page by keyset: what stands behind a position, however many stand before it.
    func page(_ sort: CatalogueSort, after cursor: CatalogueCursor?, display: Int) -> Page {
        let ranking =
            switch sort {
            case .sim: relevance
            case .date: age
            case .asc, .dsc: price
            }
        let isRising = sort == .sim || sort == .asc
        let (numbers, isLast) = ranking.page(
            after: cursor, isRising: isRising, limit: display, breaksTies: plan.breaksTies)
        let next = isLast ? nil : numbers.last.map { ranking.cursor(of: $0) }
        return Page(
            numbers: numbers, rowsScanned: numbers.count, next: next, isLast: isLast,
            itemsEver: itemsEver)
    }

    private func mirrored(_ range: Range<Int>) -> Range<Int> {
        count - range.upperBound..<count - range.lowerBound
    }

    private mutating func removeAny() {
        let draw = stream.stream("removal.which")
        changes.removed += 1
        guard count > 0 else { return }
        let index = draw.integer(below: UInt64(count), at: changes.removed)
        remove(age.numbers[Int(index)])
    }

    private func gap(_ law: Distribution?, _ name: StaticString, _ ordinal: UInt64) -> Int64 {
        // At least a nanosecond, so that time gets past every change.
        law.map { max(1, $0.sample(stream.stream(name), at: ordinal)) } ?? .max / 2
    }
}

/// Numbers in ascending order of a key; equal keys in order of the numbers.
struct Ranking {
    private(set) var numbers: [Int32]
    private let key: @Sendable (Int32) -> UInt64

    init(_ numbers: [Int32], by key: @escaping @Sendable (Int32) -> UInt64) {
        self.key = key
        self.numbers = numbers.map { (key($0), $0) }.sorted { $0 < $1 }.map(\.1)
    }

    mutating func insert(_ number: Int32) {
        numbers.insert(number, at: position(notBelow: key(number), number))
    }

    mutating func remove(_ number: Int32) {
        let position = position(notBelow: key(number), number)
        if position < numbers.count, numbers[position] == number { numbers.remove(at: position) }
    }

    /// Some places of the ranking; with a stream, items of equal keys stand in an order it decides.
    func slice(_ range: Range<Int>, disorder: RandomStream?) -> [Int32] {
        guard let disorder, !range.isEmpty else { return Array(numbers[range]) }
        let (low, high) = (key(numbers[range.lowerBound]), key(numbers[range.upperBound - 1]))
        let first = position(notBelow: low, .min)
        let last = position(notBelow: high, .max)
        let mixed = numbers[first..<last]
            .map { (key($0), disorder.bits(at: UInt64($0)), $0) }.sorted { $0 < $1 }.map(\.2)
        return Array(mixed[range.lowerBound - first..<range.upperBound - first])
    }

    /// The position behind an item.
    func cursor(of number: Int32) -> CatalogueCursor {
        CatalogueCursor(key: key(number), number: number)
    }

    /// What follows a position, and whether nothing follows that.
    ///
    /// Without a tie-breaker the position is the key alone, and the rest of its equals is skipped.
    func page(
        after cursor: CatalogueCursor?, isRising: Bool, limit: Int, breaksTies: Bool
    ) -> ([Int32], isLast: Bool) {
        if isRising {
            let first = cursor.map {
                position(notBelow: $0.key, breaksTies ? $0.number + 1 : .max)
            }
            let range = (first ?? 0)..<min((first ?? 0) + limit, numbers.count)
            return (Array(numbers[range]), range.upperBound == numbers.count)
        }
        let end = cursor.map { position(notBelow: $0.key, breaksTies ? $0.number : .min) }
        let range = max(0, (end ?? numbers.count) - limit)..<(end ?? numbers.count)
        return (numbers[range].reversed(), range.lowerBound == 0)
    }

    private func position(notBelow wanted: UInt64, _ number: Int32) -> Int {
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if (key(numbers[middle]), numbers[middle]) < (wanted, number) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

/// A place in an order: the last item's key and, to tell equals apart, its number.
struct CatalogueCursor: Equatable {
    let key: UInt64
    let number: Int32

    init(key: UInt64, number: Int32) {
        self.key = key
        self.number = number
    }

    /// Reads a cursor as answers spell it; `nil` when it is none.
    init?(text: String) {
        let halves = text.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, let key = UInt64(halves[0]), let number = Int32(halves[1]),
            number >= 0, number < .max
        else { return nil }
        self.init(key: key, number: number)
    }

    var text: String { "\(key)-\(number)" }
}

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

    var count: Int { relevance.count }

    /// The numbers of the items that there are.
    var items: [Int32] { relevance.numbers }

    /// How many items there have ever been; the next one gets this number.
    private var itemsEver: Int { plan.items + Int(changes.inserted) }

    /// Makes all changes that are due by an instant.
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
        relevance.insert(number)
        age.insert(number)
        price.insert(number)
    }

    /// Removes an item from every order.
    mutating func remove(_ number: Int32) {
        relevance.remove(number)
        age.remove(number)
        price.remove(number)
    }

    /// Some items in order, what it took to find them, and where the next ones begin.
    struct Page {
        var numbers: [Int32] = []
        var rowsScanned = 0
        var next: CatalogueCursor?
        /// True if nothing stood behind them.
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

    /// A page by keyset: the items behind a position, however many stand before it.
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
        remove(age[Int(index)])
    }

    private func gap(_ law: Distribution?, _ name: StaticString, _ ordinal: UInt64) -> Int64 {
        // At least a nanosecond, so that time gets past every change.
        law.map { max(1, $0.sample(stream.stream(name), at: ordinal)) } ?? .max / 2
    }
}

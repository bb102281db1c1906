import SquallBackend
import SquallFormat
import SquallKernel

/// The list that a declared endpoint sends in pages.
public struct DeclaredList: Sendable {
    /// How clients ask for the next page.
    public var paging: Paging
    /// The number of objects in the list.
    public var objects: Int
    /// The parameter that says where a page begins, and the one that says how long it is.
    public var (parameter, sizeParameter): (String, String)
    /// The number of the first page.
    public var firstPage: Int
    /// The most objects that a page may have; its usual number when `nil`.
    var sizeMax: Int?
    /// How often its first object leaves and another one joins its end, in nanoseconds; never when
    /// 0.
    public var turnoverNanoseconds: Int64
    /// The next page that its last page names.
    public var lastPage: LastPage

    /// The ways to ask for the next page.
    public enum Paging: String, CaseIterable, Sendable {
        case cursor, offset, page

        /// The paging that results count it as: a page by its number is scanned up to there.
        var counted: ListPage.Paging { self == .cursor ? .cursor : .offset }
    }

    /// The next page that the last page of a list names.
    public enum LastPage: String, Sendable, CaseIterable {
        /// No page.
        case ends
        /// The page itself, for ever.
        case repeats
        /// The page before it, so that two pages alternate.
        case alternates
    }

    /// A page, by the numbers of objects among all that there ever were.
    struct Page {
        /// The objects on it.
        let items: Range<Int>
        /// The objects in the list at the moment.
        let all: Range<Int>
        /// The number of objects that it could have had.
        let size: Int

        var offset: Int { items.lowerBound - all.lowerBound }
    }

    init(_ read: inout SettingsReader) {
        paging = read(
            "by", .choice(Paging.self), otherwise: "cursor",
            "How the next page is asked for; an offset is scanned row by row.")
        objects = read(
            "objects", .integer(0...10_000_000), otherwise: 1_000,
            "How many objects there are in all.")
        parameter =
            read.optional(
                "parameter", .text(1...100),
                "The parameter that says where a page begins; by default cursor, offset or page.")
            ?? paging.rawValue
        sizeParameter = read(
            "sizeParameter", .text(1...100), otherwise: "limit",
            "The parameter that says how many objects a page has.")
        firstPage = read(
            "firstPage", .integer(0...1), otherwise: 1, "The number of the first page.")
        sizeMax = read.optional(
            "sizeMax", .integer(1...10_000),
            "The most objects that a page may have; 'rows' by default.")
        turnoverNanoseconds =
            read.optional(
                "turnover", .duration(Span.millisecond...Span.day),
                "How often the first object leaves the list and another joins its end; never by"
                    + " default.") ?? 0
        lastPage = read(
            "lastPage", .choice(LastPage.self), otherwise: "ends",
            "What the last page says is next: nothing, itself for ever, or the page before.")
    }

    /// The objects that are in it at a moment.
    func objects(at now: Instant) -> Range<Int> {
        guard turnoverNanoseconds > 0 else { return 0..<objects }
        let gone = min(Int(now.nanoseconds / turnoverNanoseconds), Int(Int32.max) - objects)
        return gone..<gone + objects
    }

    /// The page that a call asks for; `nil` where there is none such.
    func page(of call: ServiceCall, _ rows: Int) -> Page? {
        let asked = call.query(sizeParameter).flatMap { Int($0) } ?? rows
        let size = max(0, min(asked, sizeMax ?? rows))
        let all = objects(at: call.now)
        var start = all.lowerBound
        if let text = call.query(parameter), !text.isEmpty {
            guard let number = Int(text), 0...Int(Int32.max) ~= number else { return nil }
            switch paging {
            // A cursor names an object; the others count what is there.
            case .cursor: start = max(start, number)
            case .offset: start += number
            case .page: start += max(0, number - firstPage) * size
            }
        }
        // Behind the end of what is counted there is nothing, and no object has such a cursor.
        guard lastPage != .ends || paging != .cursor || start <= all.upperBound else { return nil }
        let end = max(start, min(start + size, all.upperBound))
        return Page(items: start..<end, all: all, size: size)
    }

    /// The value by which clients ask for the page behind one; `nil` behind the last.
    func next(after page: Page) -> Int? {
        guard page.size > 0 else { return nil }
        guard page.items.upperBound >= page.all.upperBound else {
            return number(of: page.items.upperBound, page)
        }
        switch lastPage {
        case .ends: return nil
        case .repeats: return number(of: page.items.lowerBound, page)
        case .alternates:
            return number(of: max(page.all.lowerBound, page.items.lowerBound - page.size), page)
        }
    }

    /// The value by which clients ask for the page before one; `nil` before the first.
    func previous(before page: Page) -> Int? {
        guard page.offset > 0, page.size > 0 else { return nil }
        return number(of: page.all.lowerBound + max(0, page.offset - page.size), page)
    }

    private func number(of object: Int, _ page: Page) -> Int {
        let offset = object - page.all.lowerBound
        switch paging {
        case .cursor: return object
        case .offset: return offset
        case .page: return offset / page.size + firstPage
        }
    }

    /// The page for results; its keeper knows a list that turns over.
    func counted(_ page: Page, of name: String, keptBy keeper: any ListKeeper) -> ListPage {
        ListPage(
            of: ListID(name, keptBy: turnoverNanoseconds > 0 ? keeper : nil), by: paging.counted,
            isFirst: page.offset == 0, isLast: next(after: page) == nil,
            items: page.items.map { Int32($0) }, itemsEver: page.all.upperBound,
            rowsScanned: paging == .cursor ? page.items.count : page.offset + page.items.count)
    }
}

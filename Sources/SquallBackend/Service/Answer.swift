public import SquallHTTP

/// What a service responds: a status, headers and a body, and what it took to find them.
///
/// Four words, as it is handed on four times: a larger structure is copied by way of its memory,
/// with a look-up of the types of its members.
public struct Answer: Sendable {
    /// The HTTP status code.
    public var status: Int {
        get { Int(code) }
        set { code = Int32(clamping: newValue) }
    }
    private var code: Int32
    /// What it means where its status and body say something else, as in a fault's response.
    public var meaning: AnswerMeaning?
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body.
    public var body: Body
    /// The page that it is, if it is one of a list.
    public var page: ListPage?

    /// The header of a body in JSON, made once.
    public static let json: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]

    /// An answer of its parts.
    public init(
        status: Int, headers: HTTPHeaders = Answer.json, body: Body = .empty, page: ListPage? = nil
    ) {
        code = Int32(clamping: status)
        self.headers = headers
        self.body = body
        self.page = page
    }

    /// The number of objects in a page of a list; `nil` for any other response.
    public var items: Int? { page?.items.count }

    /// The number of rows that were scanned to find them.
    public var rowsScanned: Int { page?.rowsScanned ?? 0 }

    /// A copy that asks the client to stay away for this many seconds; unchanged for 0.
    public func retryAfter(seconds: Int) -> Answer {
        guard seconds > 0 else { return self }
        var answer = self
        answer.headers.add(name: "Retry-After", value: "\(seconds)")
        return answer
    }
}

/// What a response means, whatever status or body a service says it with.
public enum AnswerMeaning: Hashable, Sendable {
    /// The server did what was asked.
    case success
    /// The access token has expired; a refresh may help.
    case expired
    /// The session is over; only signing in helps.
    case signedOut
    /// Any other refusal of the request.
    case refused
    /// The server could not do what was asked.
    case failure
    /// The client got no response.
    case none

    /// The meaning by the class of HTTP's status: success below 400, a refusal below 500.
    public init(classOf status: Int) {
        switch status {
        case ..<400: self = .success
        case ..<500: self = .refused
        default: self = .failure
        }
    }
}

/// A page of a list that was answered; only the server can tell what it held.
public final class ListPage: Sendable {
    /// Which list it is of.
    public let list: ListID
    /// How the client asked for the page.
    public let paging: Paging
    /// True if nothing of the list comes before it.
    public let isFirst: Bool
    /// True if nothing of the list came after it when it was read.
    public let isLast: Bool
    /// The numbers of its items; a list counts its items in the order in which they were made.
    public let items: [Int32]
    /// How many items had been made when the page was read: those with lower numbers.
    public let itemsEver: Int32
    /// How many rows were scanned to find the items.
    public let rowsScanned: Int

    /// How the next page of a list is asked for.
    public enum Paging: String, Hashable, Sendable {
        /// After the last item of the page before.
        case cursor
        /// After a number of items.
        case offset
    }

    /// A page of its parts.
    public init(
        of list: ListID, by paging: Paging, isFirst: Bool, isLast: Bool, items: [Int32],
        itemsEver: Int, rowsScanned: Int
    ) {
        self.list = list
        self.paging = paging
        self.isFirst = isFirst
        self.isLast = isLast
        self.items = items
        self.itemsEver = Int32(itemsEver)
        self.rowsScanned = rowsScanned
    }
}

/// The list that a page is of, and its keeper.
public struct ListID: Hashable, Sendable {
    /// What tells it from its keeper's other lists.
    public let key: any Hashable & Sendable
    private let keeper: (any ListKeeper)?
    /// The key's hash: most lists are told apart by it, without a look at a key of any type.
    private let hash: Int

    /// A list by its key; without a keeper nothing is known of what stands in it.
    public init(_ key: any Hashable & Sendable, keptBy keeper: (any ListKeeper)? = nil) {
        self.key = key
        self.keeper = keeper
        hash = key.hashValue
    }

    /// The items that are in the list now, of those made before `itemsEver`.
    public func items(numberedBelow itemsEver: Int32) -> [Int32] {
        (keeper?.items(of: self) ?? []).filter { $0 < itemsEver }
    }

    /// True for the same list of the same keeper.
    public static func == (left: ListID, right: ListID) -> Bool {
        left.hash == right.hash && left.keeper === right.keeper && isEqual(left.key, right.key)
    }

    /// Feeds the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    private static func isEqual<Key: Hashable>(_ left: Key, _ right: any Hashable) -> Bool {
        isEqual(left, to: right)
    }

    /// A cast would look for conformances at run time, which takes longer than all the rest.
    private static func isEqual<Left: Hashable, Right: Hashable>(
        _ left: Left, to right: Right
    ) -> Bool {
        Left.self == Right.self && left == unsafeBitCast(right, to: Left.self)
    }
}

/// Knows the items of its lists, for checks of what a reader has missed.
public protocol ListKeeper: AnyObject, Sendable {
    /// The numbers of the items that are now in a list of its own; none where it does not tell.
    func items(of list: ListID) -> [Int32]
}

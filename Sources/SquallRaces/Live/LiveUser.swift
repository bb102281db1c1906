import SquallBackend
import SquallFormat
import SquallHTTP

/// One sign-in and what descends from it, with all that judging its next requests needs.
///
/// Its size is bounded: what is settled is forgotten.
final class LiveUser {
    let number: UInt64
    /// What findings call it; `nil` until it has got tokens or named itself.
    var name: String?
    /// Whether its requests have named it.
    var isNamed = false
    var hasTokens = false
    /// How many requests it has sent.
    var requests: UInt32 = 0
    /// Those of them before it had tokens.
    var requestsBefore = 0
    /// When its latest request came.
    var lastSeen: Int64 = 0
    /// The connection of the request that enters now, and when its first byte came; no moment where
    /// all of it came at once.
    var source: (connection: UInt64?, began: Int64?) = (nil, nil)
    /// Requests that have not ended.
    var open: [LiveRequest] = []
    /// How many equal calls were open at once.
    private(set) var atOnceMax = 1
    /// When nothing was open any more.
    var quietSince: Int64 = 0
    /// Answers sent until then are known to the app: it was quiet for a while after them.
    var knownUntil: Int64 = .min
    /// The numbers of the tokens that it got lately, the oldest first.
    var tokens: [TokenNumber] = []
    private var issued = (access: 0, refresh: 0)
    /// The access token that it got last.
    var newest: TokenNumber?
    var session = SessionExpiry()
    /// The latest refusals of calls, with the tokens that these showed.
    private var refusals: [(call: UInt64, token: TokenNumber?, moment: Int)] = []
    /// The end of its latest refresh, and of the latest refusal.
    var refreshedAt: Int64?
    var refusedAt: Int64?
    var refusedToken: TokenNumber?
    /// Where a refusal has told that its newest token has expired.
    var isRefused = false
    /// New access tokens that its app may not know yet, by their numbers.
    var pending: [(token: TokenNumber, number: Int, at: Int64, shownAt: Int64?)] = []
    /// When it was known at the latest which token is its newest.
    var storedAt: Int64 = .min
    /// A call that was refused since it showed no token, while its app may have had one.
    var tokenless: (endpoint: String, request: Int, connection: UInt64?)?
    /// The connection on which its latest new tokens were sent.
    var refreshedOn: UInt64?
    /// Whether it may not have read them: what it does with older ones is no fault.
    var mayLackTokens = false
    private var unasked: (count: Int, at: Int64) = (0, .min)
    /// When its sign-out was answered, and by which request.
    var signedOut: (at: Int64, request: Int)?
    /// When the server ended its session.
    var endedAt: Int64?
    var singleFlight = RefreshWatch()
    var reuse = ReuseWatch()
    var deadToken = StoreWatch()
    /// Whether a refresh has told that its session is over.
    var isSessionOver = false
    var calls = LiveCalls()
    var reading = LiveReading()
    var moments = LiveMoments()
    /// The numbers of its latest refreshes, by the moments of their sending.
    private var refreshes: [(moment: Int, number: UInt32)] = []

    init(_ number: UInt64) { self.number = number }

    /// Notes that a call was refused; whether it was sent after the same was refused with the same
    /// token, and so by another action of the user than that one.
    func wasRefused(_ call: UInt64, _ sent: LiveRequest, at moment: Int) -> Bool {
        let earlier = refusals.firstIndex { $0.call == call }.map { refusals.remove(at: $0) }
        if refusals.count >= 16 { refusals.removeFirst() }
        refusals.append((call, sent.access, moment))
        return earlier.map { $0.token == sent.access && $0.moment < sent.moment } ?? false
    }

    /// Notes a request that is sent now.
    func opens(_ sent: LiveRequest) {
        defer { open.append(sent) }
        // Those without a token are many, and no screens of one app.
        guard number != 0, (1...Self.screensMax).contains(open.count) else { return }
        let equal = open.count {
            $0.request.url == sent.request.url && $0.request.method == sent.request.method
        }
        atOnceMax = max(atOnceMax, equal + 1)
    }

    private static let screensMax = 32

    /// Notes a refresh without a reason that shows no access token; whether there were several in
    /// a row.
    ///
    /// A page that keeps its access token in memory refreshes wherever it is loaded.
    func refreshesUnasked(at now: Int64, _ pace: LivePace) -> Bool {
        let isInRow = unasked.count > 0 && now - unasked.at < pace.load
        unasked = (isInRow ? unasked.count + 1 : 1, now)
        return unasked.count >= 3
    }

    /// Notes a refresh, so that findings can name it.
    func sends(_ refresh: LiveRequest) {
        if refreshes.count >= 32 { refreshes.removeFirst() }
        refreshes.append((refresh.moment, refresh.number))
    }

    /// The numbers of refreshes that were sent at some moments, in order.
    func refreshes(at moments: Int...) -> [Int] {
        refreshes.filter { moments.contains($0.moment) }.map { Int($0.number) }
    }

    /// The next number of a token of a kind.
    func numbers(_ kind: TokenMint.Kind) -> Int {
        switch kind {
        case .access:
            issued.access += 1
            return issued.access - 1
        case .refresh:
            issued.refresh += 1
            return issued.refresh - 1
        }
    }

    /// Whether an answer of a moment was known to the app when it began a call that comes now.
    ///
    /// A call may have waited for a connection when the answer came. It has not if nothing was
    /// open for a while since, or if the app showed long ago that it knew the answer.
    func knew(
        _ answeredAt: Int64, provenAt shownAt: Int64? = nil, at now: Int64, _ pace: LivePace
    ) -> Bool {
        guard answeredAt < now else { return false }
        return answeredAt <= knownUntil
            || shownAt.map { now >= $0 + pace.queue } ?? false
    }
}

/// A request of a live session that has not ended.
struct LiveRequest {
    let number: UInt32
    let moment: Int
    /// When it began to come: a client knows nothing that happened while it sent a long body.
    let sentAt: Int64
    let connection: UInt64?
    let request: URLRequest
    let access, refresh: TokenNumber?
    /// The place of the access token that a refresh is to replace.
    let replaces: Int?
    let isRefresh: Bool
    /// Whether a refusal of an older token made the client refresh a good one.
    let isPrompted: Bool
    /// Whether it should show an access token and shows none.
    let isTokenless: Bool
    /// Whether it shows an access token that its app knows to be replaced.
    let isOutdated: Bool
}

/// What a user sent and got lately.
struct LiveMoments {
    private var latest: [LiveMoment] = []
    private var next = 0
    private static let latestMax = 40

    mutating func note(_ moment: LiveMoment) {
        guard latest.count >= Self.latestMax else { return latest.append(moment) }
        latest[next] = moment
        next = (next + 1) % latest.count
    }

    /// The oldest first.
    var all: [LiveMoment] { Array(latest[next...] + latest[..<next]) }
}

/// A request that came, or how it ended.
struct LiveMoment {
    let at: Int64
    let request: UInt32
    let endpoint: Int32
    /// The numbers of the tokens that it showed; -1 for none.
    var access: Int32 = -1
    var refresh: Int32 = -1
    /// The status; 0 for a request, and -1 for one that ended without an answer.
    var status: Int32 = 0

    func line(_ name: String, since start: Int64) -> String {
        let time = (at - start) / 1_000_000
        let head = "\(time / 1_000).\((time % 1_000).padded(3)) s  #\(request)"
        switch status {
        case 0:
            let shown = (access < 0 ? [] : ["T\(access)"]) + (refresh < 0 ? [] : ["R\(refresh)"])
            let tokens = shown.isEmpty ? "" : " with \(shown.joined(separator: " and "))"
            return "\(head) → \(name)\(tokens)"
        case -1: return "\(head) ← no response to \(name)"
        default: return "\(head) ← \(status) to \(name)"
        }
    }
}

/// The pages of lists that a user has read lately.
struct LiveReading {
    private var lists: [List] = []
    private static let listsMax = 4
    private static let pagesMax = 64

    private struct List {
        let id: ListID
        let itemsEver: Int32
        /// How many times the list was begun: as many readers may read on.
        var firsts = 0
        var pages: [(items: [Int32], count: Int, request: UInt32)] = []
        var hasGap = false
    }

    /// A page has come; what is wrong with it, and the requests that say so.
    mutating func read(_ page: ListPage, _ number: UInt32) -> (text: String, requests: [UInt32])? {
        var list = take(page)
        defer { lists.append(list) }
        if page.isFirst { list.firsts += 1 }
        guard !page.items.isEmpty else { return nil }
        if let place = list.pages.firstIndex(where: { $0.items == page.items }) {
            list.pages[place].count += 1
            guard list.pages[place].count == list.firsts + 1 else { return nil }
            return ("a page of the list was fetched twice", [list.pages[place].request, number])
        }
        if list.pages.count < Self.pagesMax { list.pages.append((page.items, 1, number)) }
        guard page.isLast, page.paging == .cursor, list.firsts > 0, !list.hasGap,
            list.pages.count < Self.pagesMax
        else {
            return nil
        }
        let shown = Set(list.pages.flatMap(\.items))
        let missed = page.list.items(numberedBelow: list.itemsEver).count { !shown.contains($0) }
        guard missed > 0 else { return nil }
        list.hasGap = true
        return ("the list was read to its end without \(missed) of its items", [number])
    }

    /// The list of a page, taken out; the one that was read longest ago makes room for a new one.
    private mutating func take(_ page: ListPage) -> List {
        if let place = lists.firstIndex(where: { $0.id == page.list }) {
            return lists.remove(at: place)
        }
        if lists.count >= Self.listsMax { lists.removeFirst() }
        return List(id: page.list, itemsEver: page.itemsEver)
    }
}

/// A token of a live session, as judging needs it.
struct LiveToken {
    /// The user whose lineage it is of.
    let user: UInt64
    /// Tells it from all others.
    let place: Int
    let kind: TokenMint.Kind
    /// Its number among the user's tokens of its kind.
    let number: Int
    let issuedAt: Int64
    /// When it expires; `nil` where that is not known.
    let expiry: Int64?
    /// Whether it was refused as expired.
    var isRefused = false

    /// A short name: `T0`, `R1`.
    var name: String { (kind == .access ? "T" : "R") + "\(number)" }

    /// Whether a client may refresh it proactively: its expiry is near or unknown.
    func isDue(at now: Int64) -> Bool {
        guard let expiry else { return true }
        let life = expiry - issuedAt
        return now >= expiry - min(life / 2, RaceInvariant.window(ofLife: life))
    }
}

/// The tokens that users of a live session got lately, by the numbers of their texts.
struct LiveTokens {
    private var known: [TokenNumber: LiveToken] = [:]
    private var places = 0

    /// A user's older tokens are forgotten; the mint still tells whose a genuine one is.
    static let perUserMax = 32

    subscript(token: TokenNumber?) -> LiveToken? { token.flatMap { known[$0] } }

    /// Notes a user's token, unless it is known.
    mutating func note(
        _ token: TokenNumber, _ kind: TokenMint.Kind, of user: LiveUser, at now: Int64,
        expiry: Int64?
    ) {
        guard known[token] == nil else { return }
        places += 1
        known[token] = LiveToken(
            user: user.number, place: places, kind: kind, number: user.numbers(kind),
            issuedAt: now, expiry: expiry)
        user.tokens.append(token)
        if user.tokens.count > Self.perUserMax { known[user.tokens.removeFirst()] = nil }
    }

    /// The name of a user's token at a place; other words where it is forgotten.
    func name(ofPlace place: Int?, of user: LiveUser) -> String {
        user.tokens.lazy.compactMap { known[$0] }.first { $0.place == place }?.name ?? "the token"
    }

    mutating func refused(_ token: TokenNumber?) {
        if let token { known[token]?.isRefused = true }
    }

    mutating func forget(_ user: LiveUser) {
        for token in user.tokens { known[token] = nil }
    }
}

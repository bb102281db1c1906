/// The evidence that tells a log's users apart, which the lines about tokens have, too.
///
/// A user's name is often absent where a token is asked for, and an identifier that is new with
/// each token names no user. Then the address is taken if it tells users apart as well; otherwise
/// nothing is said of refreshes.
struct LogIdentity: Sendable {
    /// The evidence; `none` where no line has any.
    private(set) var evidence = PersonEvidence.none
    /// The share of requests with it.
    private(set) var share = 0.0
    /// True if the lines about tokens tell their user by it.
    private(set) var hasTokenLines = true
    /// The reason for which it is not a better one, or its limits; empty for none.
    private(set) var note = ""

    /// The reason for which nothing is known of the order of a user's calls.
    static let mixedClocks =
        "Lines of two clocks are mixed, and how far these are apart is not known"

    private static let tokenLinesMin = 3
    private static let shareMin = 0.9
    private static let examined = 200_000
    private static let oneToOne = 0.95

    init() {}

    /// Chooses from requests in the order of their lines; `isToken` is true for each call that
    /// issues tokens.
    init(_ requests: [LoggedRequest], isToken: [Bool]) {
        var counts = [Int](repeating: 0, count: 5)
        for request in requests { counts[request.evidence.rawValue] += 1 }
        let best = PersonEvidence.allCases.dropFirst().max {
            (counts[$0.rawValue], $0) < (counts[$1.rawValue], $1)
        }
        guard let best, counts[best.rawValue] > 0 else { return }
        evidence = best
        if best >= .token { judge(requests.prefix(Self.examined), isToken) }
        let chosen = requests.count { strict($0) != 0 }
        share = Double(chosen) / Double(max(1, requests.count))
    }

    /// The number by which a request's user is known; a line without the evidence counts by its
    /// address, unless that is known to tell other users apart.
    func number(_ request: LoggedRequest) -> UInt32 {
        let own = strict(request)
        return own == 0 && evidence >= .token && hasTokenLines ? request.address : own
    }

    private func strict(_ request: LoggedRequest) -> UInt32 {
        switch evidence {
        case .none: 0
        case .user, .token: request.userEvidence == evidence ? request.person : 0
        case .forwarded, .address:
            request.addressEvidence == evidence ? request.address : 0
        }
    }

    private mutating func judge(_ requests: ArraySlice<LoggedRequest>, _ isToken: [Bool]) {
        let lines = requests.filter { isToken[Int($0.call)] }
        guard lines.count >= Self.tokenLinesMin else { return }
        let named = lines.count { strict($0) != 0 }
        let isAbsent = Double(named) < Self.shareMin * Double(lines.count)
        let isNew = isNewWithTokens(requests, isToken)
        guard isAbsent || isNew else { return }
        let reason =
            isNew
            ? "the field of the user is another one with each token"
            : "the lines about tokens do not name their user"
        let own = self
        let word = evidence == .user ? "user" : "token"
        for other in [PersonEvidence.forwarded, .address] {
            evidence = other
            let known = requests.count { strict($0) != 0 }
            guard Double(known) > Self.shareMin * Double(requests.count),
                isNew || isSame(requests, as: own)
            else { continue }
            note = reason
            return
        }
        self = own
        (hasTokenLines, note) = (false, "\(reason), and no address tells it: log the \(word) there")
    }

    /// True for an identity that mostly ends where a token is issued: it is new with each token.
    private func isNewWithTokens(_ requests: ArraySlice<LoggedRequest>, _ isToken: [Bool]) -> Bool {
        var last: [UInt32: Int] = [:]
        // The identities in turn of each address: those of users who share one come again.
        var turns: [UInt32: (latest: UInt32, seen: Set<UInt32>, changes: Int)] = [:]
        for (index, request) in requests.enumerated() where strict(request) != 0 {
            let own = strict(request)
            last[own] = index
            guard request.address != 0 else { continue }
            var turn = turns[request.address] ?? (own, [], 0)
            if own != turn.latest { turn.changes += 1 }
            turn.latest = own
            if turn.seen.count < 64 { turn.seen.insert(own) }
            turns[request.address] = turn
        }
        let several = turns.values.filter { $0.seen.count > 2 }
        let inBlocks = several.count { $0.changes * 10 < $0.seen.count * 11 }
        if several.count * 2 > turns.count, inBlocks * 10 >= several.count * 9 { return true }
        var (ended, issued) = (0, 0)
        for (index, request) in requests.enumerated()
        where isToken[Int(request.call)] && (200..<300).contains(request.status) {
            let own = strict(request)
            guard own != 0 else { continue }
            issued += 1
            if last[own] == index { ended += 1 }
        }
        return issued >= 2 * Self.tokenLinesMin && ended * 2 > issued
    }

    /// True if each number of this identity is of one user of another one, and the other way round.
    private func isSame(_ requests: ArraySlice<LoggedRequest>, as other: LogIdentity) -> Bool {
        var (users, numbers) = ([UInt32: UInt32](), [UInt32: UInt32]())
        var (same, all) = (0, 0)
        for request in requests {
            let (own, user) = (strict(request), other.strict(request))
            guard own != 0, user != 0 else { continue }
            all += 1
            let isFirst = users[own] == nil && numbers[user] == nil
            if isFirst { (users[own], numbers[user]) = (user, own) }
            if users[own] == user, numbers[user] == own { same += 1 }
        }
        return all > 0 && Double(same) >= Self.oneToOne * Double(all)
    }
}

/// The kinds of evidence, which are in the last bits of the numbers.
extension LoggedRequest {
    var userEvidence: PersonEvidence {
        person == 0 ? .none : person & 1 == 1 ? .user : .token
    }
    var addressEvidence: PersonEvidence {
        address == 0 ? .none : address & 1 == 1 ? .forwarded : .address
    }
    /// The best evidence of its user.
    var evidence: PersonEvidence { max(userEvidence, addressEvidence) }

    /// A number of a sender; 0 for none.
    static func number(_ sender: RawRequest.Sender) -> UInt32 {
        guard sender.hash != 0 else { return 0 }
        let isBetter = sender.evidence == .user || sender.evidence == .forwarded
        let hash = UInt32(truncatingIfNeeded: sender.hash ^ sender.hash >> 32) | 2
        return isBetter ? hash | 1 : hash & ~1
    }
}

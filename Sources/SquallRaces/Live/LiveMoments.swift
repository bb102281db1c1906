import SquallFormat

/// A user's latest requests and responses.
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
    private var all: [LiveMoment] { Array(latest[next...] + latest[..<next]) }

    /// The moments that matter for some requests: from the first of them on, or from the refusals
    /// that led to it; all of them for none.
    func from(_ requests: [Int]) -> ArraySlice<LiveMoment> {
        let all = all
        func sent(_ request: UInt32) -> Int? {
            all.firstIndex { $0.request == request && $0.status == 0 }
        }
        guard let first = requests.compactMap({ sent(UInt32(truncatingIfNeeded: $0)) }).min() else {
            return all[...]
        }
        let before = all[..<first]
        let renewal = before.lastIndex { $0.isRenewal }.map { $0 + 1 } ?? 0
        let refusal = all[renewal..<first].first { $0.isRefusal }
        return all[min(first, refusal.flatMap { sent($0.request) } ?? first)...]
    }
}

/// A request that came, or how it ended.
struct LiveMoment {
    let at: Int64
    let request: UInt32
    let endpoint: Int32
    /// The numbers of the tokens that it showed; -1 for none.
    var access: Int32 = -1
    var refresh: Int32 = -1
    /// The status; 0 for a request, and -1 for one that ended without a response.
    var status: Int32 = 0
    /// True for a response that says that a token has expired.
    var isRefusal = false
    /// True for a response that brings tokens.
    var isRenewal = false

    func line(_ name: String) -> String {
        let time = at / 1_000_000
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

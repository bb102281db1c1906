/// Senders that ask for far more than the others and for other things, as robots do.
///
/// A proxy has the calls of its users, and a user who is there more often has those of the others.
enum BusySenders {
    private static let sendersMax = 3
    private static let othersMin = 3
    private static let requestsMin = 100
    /// The least multiple of the requests of half of the others.
    private static let multiple = 10
    /// The least share of a log's requests, as one in so many.
    private static let oneIn = 10
    /// The least share of requests that are for other calls than those of others.
    private static let apart = 0.3

    /// The numbers of such senders; each request's call is an index in the titles, which may be
    /// equal.
    static func all(_ requests: [LoggedRequest], titles: [String]) -> Set<UInt32> {
        var numbers: [String: Int] = [:]
        let calls = titles.map { title in
            let number = numbers[title] ?? numbers.count
            numbers[title] = number
            return number
        }
        var counts: [UInt32: Int] = [:]
        for request in requests { counts[request.sender, default: 0] += 1 }
        counts[0] = nil
        var found: Set<UInt32> = []
        while found.count < sendersMax, counts.count > othersMin,
            let busiest = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        {
            counts[busiest.key] = nil
            let middle = counts.values.sorted()[counts.count / 2]
            guard busiest.value >= max(requestsMin, multiple * middle, requests.count / oneIn),
                distance(of: busiest.key, requests.filter { !found.contains($0.sender) }, calls)
                    >= apart
            else { break }
            found.insert(busiest.key)
        }
        return found
    }

    /// Half the sum of the differences between the shares of calls of one sender and of the others.
    private static func distance(
        of sender: UInt32, _ requests: [LoggedRequest], _ calls: [Int]
    ) -> Double {
        var counts = [(own: Double, others: Double)](repeating: (0, 0), count: calls.count)
        for request in requests {
            let call = calls[Int(request.call)]
            if request.sender == sender { counts[call].own += 1 } else { counts[call].others += 1 }
        }
        let own = max(1, counts.reduce(0) { $0 + $1.own })
        let others = max(1, counts.reduce(0) { $0 + $1.others })
        return counts.reduce(0) { $0 + abs($1.own / own - $1.others / others) } / 2
    }
}

extension LoggedRequest {
    /// The number of who sent it, by the best that its line tells; 0 for nothing.
    var sender: UInt32 { person == 0 ? address : person }
}

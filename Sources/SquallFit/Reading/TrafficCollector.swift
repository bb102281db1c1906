import SquallHTTP

/// Collects requests while they are read, and keeps the data for estimates in bounded memory.
///
/// Totals cover all requests.
///
/// Single requests are kept for all users until there are too many; then for every second, fourth,
/// … user, and for every second, fourth, … stretch of two minutes, so that a user's journey is
/// complete, and so is the server's load at any moment.
struct TrafficCollector {
    /// The most single requests that are kept: a fit has about 90 bytes for each.
    static let requestsMax = 5_000_000

    var log = TrafficLog()
    private var tree = PathTree()
    private var calls: [UInt64: Int32] = [:]
    private var known: [(method: Int, place: Int32, call: LoggedCall)] = []
    var kept: [LoggedRequest] = []
    private var latest: Int64 = 0
    private var people: Set<UInt64> = []
    /// The evidence that tells users apart, once that is chosen.
    private var identity: LogIdentity?
    private let capacity: Int
    /// The number of files.
    private var sources = 0
    static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]

    /// The number of requests with a time in whole seconds.
    private var wholeTimes = 0
    /// The files whose times are those of requests.
    var stampedAtBegin: Set<UInt8> = []
    private var filter: RequestFilter
    private let keepsWords: Bool

    init(
        capacity: Int = Self.requestsMax, filter: RequestFilter = RequestFilter(),
        keepsWords: Bool = false
    ) {
        self.capacity = capacity
        self.filter = filter
        self.keepsWords = keepsWords
        // No page of it is there before it is used, and none is used twice, as if it grew.
        kept.reserveCapacity(capacity)
    }

    mutating func noteFile() {
        sources += 1
        // Files may follow each other or overlap in time.
        latest = 0
    }

    mutating func noteLine() { log.reading.lines += 1 }

    mutating func noteTooLong() {
        log.reading.lines += 1
        log.reading.tooLong += 1
        log.reading.broken += 1
    }

    mutating func noteBroken(_ line: Bytes) {
        log.reading.broken += 1
        if log.reading.quotes.count < 3 { log.reading.quotes.append(HiddenText.quote(line)) }
    }

    mutating func noteOther() { log.reading.otherLines += 1 }

    mutating func note(format: String, unit: DurationUnit?) {
        if !log.reading.formats.contains(format) { log.reading.formats.append(format) }
        if let unit { log.reading.units.append((sources - 1, unit, 0)) }
    }

    mutating func note(hosts: Int) { log.reading.hosts = max(log.reading.hosts, hosts) }

    mutating func add(_ histograms: [HistogramTimes]) { log.histograms += histograms }

    var reading: TrafficLog.Reading { log.reading }

    /// Adds a request; false if it makes no sense.
    mutating func take(_ raw: RawRequest) -> Bool {
        // Nothing was logged before 2000 or is after 2100; two such times have a sum.
        guard raw.time > 946_684_800_000_000_000, raw.time < 4_102_444_800_000_000_000,
            raw.duration < 86_400_000_000_000, raw.target.count > 0, (0..<600).contains(raw.status)
        else { return false }
        let target = Target(raw.target, query: raw.query)
        if let reason = filter.reason(raw, path: target.path) {
            log.reading.leftOut[reason, default: 0] += 1
            return true
        }
        log.reading.requests += 1
        let known = Self.methods.firstIndex { raw.method.elementsEqual($0.utf8) }
        guard let method = raw.isGET ? 0 : known else {
            log.reading.otherMethods += 1
            return true
        }
        let place = tree.place(of: target.path, by: raw.person, isTemplate: raw.isTemplate)
        let call = number(method, place)
        count(raw, target, in: call)
        keep(raw, target, call)
        return true
    }

    private mutating func number(_ method: Int, _ place: Int32) -> Int32 {
        let key = UInt64(method) << 32 | UInt64(UInt32(bitPattern: place))
        if let call = calls[key] { return call }
        let call = Int32(known.count)
        known.append((method, place, LoggedCall(method: Self.methods[method], path: "")))
        calls[key] = call
        return call
    }

    private mutating func count(_ raw: RawRequest, _ target: Target, in call: Int32) {
        let index = Int(call)
        known[index].call.count += 1
        known[index].call.statuses[Int16(raw.status), default: 0] += 1
        if raw.bytes >= 0, raw.status < 300 || raw.status == 0 {
            known[index].call.bytes.sum += min(raw.bytes, 1 << 40)
            known[index].call.bytes.count += 1
        }
        if raw.requestBytes >= 0 {
            known[index].call.requestBytes.sum += min(raw.requestBytes, 1 << 40)
            known[index].call.requestBytes.count += 1
        }
        switch target.paging {
        case .cursor: known[index].call.paging.cursor += 1
        case .offset: known[index].call.paging.offset += 1
        case .none: break
        }
        if raw.duration >= 0 { log.reading.withDuration += 1 }
        if raw.time % Self.second == 0 { wholeTimes += 1 }
    }

    private mutating func keep(_ raw: RawRequest, _ target: Target, _ call: Int32) {
        if raw.isBeginning { stampedAtBegin.insert(UInt8(clamping: sources - 1)) }
        let began = raw.isBeginning ? raw.time : raw.time - max(0, raw.duration)
        let ended = began + max(0, raw.duration)
        log.minutes[began / Self.minute, default: 0] += 1
        log.reading.span.first = min(log.reading.span.first, began)
        log.reading.span.last = max(log.reading.span.last, ended)
        if raw.time < latest - 1_000_000_000 { log.reading.unordered += 1 }
        log.reading.largestStepBack = max(
            log.reading.largestStepBack, latest == 0 ? 0 : latest - raw.time)
        latest = max(latest, raw.time)
        if people.count < PathTree.peopleMin { people.insert(raw.person) }
        var request = LoggedRequest(
            began: began, duration: raw.duration, person: LoggedRequest.number(raw.user),
            call: call, status: Int16(raw.status), isNextPage: target.paging != .none,
            source: UInt8(clamping: sources - 1))
        request.address = LoggedRequest.number(raw.address)
        let sampling = log.sampling
        if sampling.oneIn > 1 {
            request.person = identity?.number(request) ?? 0
            guard sampling.keepsPerson(request.person) || sampling.keepsTime(began) else { return }
        }
        kept.append(request)
        guard kept.count >= capacity, log.sampling.oneIn < 1 << 20 else { return }
        if identity == nil { identify() }
        log.sampling.oneIn *= 2
        let rarer = log.sampling
        kept.removeAll { !rarer.keepsPerson($0.person) && !rarer.keepsTime($0.began) }
    }

    /// Chooses the evidence that tells users apart, by the requests so far.
    private mutating func identify() {
        let isToken = known.map { entry in
            TokenWords.isAboutTokens(tree.template(entry.place), entry.call.method)
        }
        let own = LogIdentity(kept, isToken: isToken)
        identity = own
        for index in kept.indices { kept[index].person = own.number(kept[index]) }
    }

    /// The log that was read, in order.
    mutating func finish() -> TrafficLog {
        if identity == nil {
            leaveOutBusySenders()
            identify()
        }
        log.reading.identity = identity ?? LogIdentity()
        if !keepsWords { log.reading.hiddenWords = tree.hideRareWords(people: people.count) }
        var byText: [String: LoggedCall] = [:]
        var texts: [String] = []
        for entry in known {
            let path = tree.template(entry.place)
            let text = path + " " + Self.methods[entry.method]
            texts.append(text)
            var call = LoggedCall(method: Self.methods[entry.method], path: path)
            call.add(entry.call)
            byText[text, default: LoggedCall(method: call.method, path: path)].add(call)
        }
        let order = byText.keys.sorted()
        let position = Dictionary(
            uniqueKeysWithValues: order.enumerated().map { ($1, Int32($0)) })
        log.calls = order.compactMap { byText[$0] }
        for index in kept.indices {
            kept[index].call = position[texts[Int(kept[index].call)]] ?? 0
        }
        if log.reading.span.first > log.reading.span.last { log.reading.span = (0, 0) }
        // A finer clock shows a whole second now and then, which some servers write without zeros.
        log.reading.isWholeSeconds = wholeTimes > 0 && wholeTimes * 10 >= log.reading.requests * 9
        remove(LineOrder.twins(in: kept, isWholeSeconds: log.reading.isWholeSeconds))
        leaveOutZeros()
        putOldestFirst()
        cutFractions()
        turnBeginnings()
        reorder()
        if log.reading.areClocksMixed { turnBeginnings() }
        if log.reading.isWholeSeconds { spread() }
        correctClocks()
        for (index, entry) in log.reading.units.enumerated() {
            let own = kept.lazy.filter { $0.source == UInt8(clamping: entry.source) }
            let times = own.map { Double($0.duration) }.filter { $0 >= 0 }.sorted()
            log.reading.units[index].median = times.quantile(0.5)
        }
        kept.sort {
            ($0.person, $0.began, $0.call, $0.duration) < (
                $1.person, $1.began, $1.call, $1.duration
            )
        }
        log.requests = kept
        kept = []
        return log
    }

    /// Takes out lines that stand twice, lets a clock that was set back go on, and parts the clocks
    /// of one file.
    private mutating func reorder() {
        // Lines with the times of requests may stand in the order of their ends, in which they were
        // written, or in that of their times.
        let isWritten =
            LineOrder.falls(kept.lazy.map(\.ended)) < LineOrder.falls(kept.lazy.map(time(of:)))
        let found = LineOrder(kept) { isWritten ? $0.ended : time(of: $0) }
        var shift: Int64 = 0
        // Of a sample the counts of minutes are those of all lines, which stay where they were.
        var steps = log.sampling.oneIn == 1 ? found.stepsBack[...] : []
        for index in kept.indices {
            if let step = steps.first, step.place == index {
                shift += step.span
                steps.removeFirst()
                log.reading.setBack.append(step.span)
                log.reading.unordered = 0
            }
            kept[index].began += shift
            if found.behind.contains(index) {
                let own = UInt8(clamping: sources)
                if stampedAtBegin.contains(kept[index].source) { stampedAtBegin.insert(own) }
                kept[index].source = own
            }
        }
        if !found.behind.isEmpty { (sources, log.reading.areClocksMixed) = (sources + 1, true) }
        remove(found.repeated)
        guard shift > 0 else { return }
        log.reading.span.last = kept.map(\.ended).max() ?? 0
        log.minutes = [:]
        for request in kept { log.minutes[request.began / Self.minute, default: 0] += 1 }
    }

    /// Takes out lines, and counts them no more.
    private mutating func remove(_ ranges: [Range<Int>]) {
        var (left, place) = (ranges[...], ranges.first?.lowerBound ?? kept.count)
        for index in place..<kept.count {
            while let range = left.first, range.upperBound <= index { left.removeFirst() }
            let request = kept[index]
            guard left.first?.contains(index) == true else {
                kept[place] = request
                place += 1
                continue
            }
            let weight = uncount(request)
            log.calls[Int(request.call)].takeOut(request.status, weight)
            log.reading.repeated += weight
        }
        kept.removeLast(kept.count - place)
    }

    /// Takes a request out of what is counted, and returns how many it stands for.
    private mutating func uncount(_ request: LoggedRequest) -> Int {
        let weight = log.weight(of: request)
        log.reading.requests -= weight
        log.minutes[request.began / Self.minute, default: 0] -= weight
        if request.duration >= 0 { log.reading.withDuration -= weight }
        return weight
    }

    /// Leaves out the requests of robots that say nothing of what they are.
    private mutating func leaveOutBusySenders() {
        guard filter.isDefault else { return }
        let busy = BusySenders.all(
            kept, titles: known.map { "\($0.method) \(tree.template($0.place))" })
        guard !busy.isEmpty else { return }
        for request in kept where busy.contains(request.sender) {
            let weight = uncount(request)
            known[Int(request.call)].call.takeOut(request.status, weight)
            log.reading.leftOut[.busySender, default: 0] += weight
        }
        kept.removeAll { busy.contains($0.sender) }
    }

    /// Finds the differences of several files' clocks, and corrects them.
    private mutating func correctClocks() {
        guard sources > 1 else { return }
        log.reading.skews = ClockSkew.all(kept, sources: min(sources, 255))
        let skews = Dictionary(
            uniqueKeysWithValues: log.reading.skews.map {
                (UInt8(clamping: $0.source), $0.nanoseconds ?? 0)
            })
        for index in kept.indices { kept[index].began -= skews[kept[index].source] ?? 0 }
    }

    static let second: Int64 = 1_000_000_000
    private static let minute = 60 * second
}

/// Path and query of a request.
private struct Target {
    let path: Bytes
    let paging: Paging

    enum Paging { case none, cursor, offset }

    init(_ text: Bytes, query: Bytes) {
        var start = 0
        // An absolute address has a scheme and a host before the path.
        if text.count > 0, text[0] != 0x2f,
            let slashes = text.first(of: [0x3a, 0x2f, 0x2f], from: 0)
        {
            start = text.first(0x2f, from: slashes + 3) ?? text.count
        }
        let end = text.first(0x3f, from: start) ?? text.count
        let fragment = text.first(0x23, from: start) ?? text.count
        path = text[part: start..<min(end, fragment)]
        let own = end < text.count ? text[part: end + 1..<text.count] : query
        paging = Self.paging(own)
    }

    private static func paging(_ query: Bytes) -> Paging {
        var start = 0
        while start < query.count {
            let end = query.first(0x26, from: start) ?? query.count
            let pair = query[part: start..<end]
            let equals = pair.first(0x3d) ?? pair.count
            let name = pair[part: 0..<equals]
            let value =
                equals < pair.count ? pair[part: equals + 1..<pair.count] : pair[part: 0..<0]
            if !value.isEmpty {
                if cursors.contains(where: name.equals) { return .cursor }
                // The first page is not a further page.
                if isOffset(name), !value.equals("0"), !(isPage(name) && value.equals("1")) {
                    return .offset
                }
            }
            start = end + 1
        }
        return .none
    }

    private static let cursors: [StaticString] = [
        "cursor", "after", "before", "page_token", "pageToken", "max_id", "since_id",
        "continuation", "next", "starting_after", "last_id", "lastId",
    ]

    private static func isOffset(_ name: Bytes) -> Bool {
        name.equals("offset") || name.equals("skip") || name.equals("start") || isPage(name)
    }

    private static func isPage(_ name: Bytes) -> Bool {
        name.equals("page") || name.equals("p") || name.equals("pageNumber")
    }
}

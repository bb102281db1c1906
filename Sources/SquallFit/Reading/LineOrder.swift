/// What the order of a log's lines shows beside their times: lines that stand twice, a clock that
/// was set back, and the lines of two clocks in one file.
struct LineOrder {
    /// The lines that stand in the same order further up, as after a rotation that copies.
    private(set) var repeated: [Range<Int>] = []
    /// The first line after each step of a clock back, and how far it went, in nanoseconds.
    private(set) var stepsBack: [(place: Int, span: Int64)] = []
    /// The lines of a clock that is behind the other one of its file.
    private(set) var behind: Set<Int> = []

    /// The shortest run of equal lines that is no chance.
    private static let runMin = 20
    private static let second: Int64 = 1_000_000_000
    /// The shortest step back that is repaired: shorter ones are within the intervals.
    private static let stepMin = 60 * second
    private static let stepsMax = 8
    /// The longest step back of a clock; a longer one is a broken time.
    private static let stepLongest = 30 * 86_400 * second
    /// More of the lines than this share go back where clocks are mixed.
    private static let mixedShare = 0.02
    /// Two parts that begin or end together, as shares of the first, are those of two servers.
    private static let togetherShare = 0.1

    /// Examines lines in their order; `time` is what stood in a line.
    init(_ lines: [LoggedRequest], time: (LoggedRequest) -> Int64) {
        guard Self.falls(lines.lazy.map(time)) > 0 else { return }
        let times = lines.map(time)
        repeated = Self.repeated(lines)
        var own = [Int]()
        var skipped = repeated.makeIterator()
        var skip = skipped.next()
        for index in lines.indices {
            if let range = skip, index >= range.upperBound { skip = skipped.next() }
            if skip?.contains(index) != true { own.append(index) }
        }
        guard let last = own.last, lines[last].source == lines[own[0]].source else { return }
        findSteps(own, times)
    }

    /// How many lines have a time more than a second before that of the line above them.
    static func falls(_ times: some Sequence<Int64>) -> Int {
        var (falls, last) = (0, Int64.min)
        for time in times {
            if last != .min, time < last - second { falls += 1 }
            last = time
        }
        return falls
    }

    /// The second line of each request, where nearly all have two: a logger that is set up twice
    /// writes one after the other.
    static func twins(in lines: [LoggedRequest], isWholeSeconds: Bool) -> [Range<Int>] {
        let step = isWholeSeconds ? second : TrafficCollector.writing
        func areOne(_ one: LoggedRequest, _ other: LoggedRequest) -> Bool {
            one.call == other.call && one.status == other.status && one.person == other.person
                && one.address == other.address && abs(one.ended - other.ended) <= step
                && abs(one.duration - other.duration) <= durationStep
        }
        var found: [Range<Int>] = []
        var taken: Set<Int> = []
        for index in lines.indices where taken.remove(index) == nil {
            // Of several like it none is known to be the same request.
            let near = (index + 1..<min(lines.count, index + 1 + twinsApart)).filter {
                !taken.contains($0) && areOne(lines[index], lines[$0])
            }
            if let twin = near.first, near.count == 1 {
                taken.insert(twin)
                found.append(twin..<twin + 1)
            }
            if index == twinsTried, found.count * 3 < index { return [] }
        }
        let areAll = found.count >= runMin && found.count * 40 >= lines.count * 19
        return areAll ? found.sorted { $0.lowerBound < $1.lowerBound } : []
    }

    /// How far apart two lines of one request may stand, as other requests' come between them.
    private static let twinsApart = 6
    /// The number of lines after which a log without twins is known.
    private static let twinsTried = 1_000
    /// How much longer the outer of two loggers sees a request, in nanoseconds.
    private static let durationStep: Int64 = 2_000_000

    private static func repeated(_ lines: [LoggedRequest]) -> [Range<Int>] {
        var first: [LoggedRequest.Line: Int] = [:]
        var (found, index) = ([Range<Int>](), 0)
        while index < lines.count {
            guard let earlier = first[lines[index].line] else {
                first[lines[index].line] = index
                index += 1
                continue
            }
            var length = 1
            while index + length < lines.count, earlier + length < index,
                lines[index + length].line == lines[earlier + length].line
            {
                length += 1
            }
            let isLong = lines[index + length - 1].began - lines[index].began > second
            if length >= runMin, isLong { found.append(index..<index + length) }
            index += length
        }
        return found
    }

    private mutating func findSteps(_ places: [Int], _ times: [Int64]) {
        var (falls, rises) = (0, 0)
        var parts: [(place: Int, first: Int64, last: Int64)] = []
        for (earlier, place) in zip(places, places.dropFirst()) {
            let change = times[place] - times[earlier]
            falls += change < -Self.second ? 1 : 0
            rises += change > 0 ? 1 : 0
        }
        for (index, place) in places.enumerated() {
            let isBack = index > 0 && times[place] < times[places[index - 1]] - Self.stepMin
            if parts.isEmpty || isBack {
                parts.append((place, times[place], times[place]))
            } else {
                parts[parts.count - 1].last = max(parts[parts.count - 1].last, times[place])
            }
        }
        if Double(falls) > Self.mixedShare * Double(places.count) {
            // An export with the newest line first is in the wrong order, but of one clock.
            if rises * 2 > falls { part(places, times) }
        } else if (2...Self.stepsMax).contains(parts.count) {
            for (one, next) in zip(parts, parts.dropFirst()) where Self.isStep(one, next) {
                stepsBack.append((next.place, one.last - next.first))
            }
        }
    }

    /// True if a part goes on after another one with the clock set back; parts of several files
    /// follow each other, or begin or end together.
    private static func isStep(
        _ one: (place: Int, first: Int64, last: Int64),
        _ next: (place: Int, first: Int64, last: Int64)
    ) -> Bool {
        let near = Double(one.last - one.first) * togetherShare
        return next.first < one.last && next.last > one.first
            && one.last - next.first < stepLongest
            && Double(abs(next.first - one.first)) > near
            && Double(abs(next.last - one.last)) > near
    }

    /// Parts the lines of two clocks, each of which only goes forward.
    private mutating func part(_ places: [Int], _ times: [Int64]) {
        var latest = (ahead: Int64.min, behind: Int64.min)
        var (own, lost) = (Set<Int>(), 0)
        for place in places {
            if latest.ahead == .min || times[place] >= latest.ahead - Self.second {
                latest.ahead = max(latest.ahead, times[place])
            } else {
                if latest.behind != .min, times[place] < latest.behind - Self.second { lost += 1 }
                latest.behind = max(latest.behind, times[place])
                own.insert(place)
            }
        }
        if Double(lost) < Self.mixedShare * Double(places.count) { behind = own }
    }
}

extension LoggedRequest {
    /// What a line says.
    struct Line: Hashable {
        let began, duration: Int64
        let person, address: UInt32
        let call: Int32
        let status: Int16
    }

    var line: Line {
        Line(
            began: began, duration: duration, person: person, address: address, call: call,
            status: status)
    }
}

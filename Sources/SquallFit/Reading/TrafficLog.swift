/// A request in a log; nothing in it identifies a user.
struct LoggedRequest: Sendable {
    /// The time at which it came, in nanoseconds since 1970.
    var began: Int64
    /// The server's time for it, in nanoseconds; -1 if the log does not say.
    var duration: Int64
    /// A number for the user who sent it; 0 if nothing tells users apart.
    var person: UInt32
    /// A number for the address that it came from; 0 if the line tells none.
    var address: UInt32 = 0
    /// Its call, as an index in the log's calls.
    var call: Int32
    /// The status of the response; 0 if the log does not say.
    var status: Int16
    /// True if its query asks for a further page.
    var isNextPage: Bool
    /// The index of its file, from 0; 255 for all further files.
    var source: UInt8 = 0

    /// The end of its response, as far as known.
    var ended: Int64 { began + max(0, duration) }
}

/// A call in a log, over all of its requests.
struct LoggedCall: Sendable {
    /// The verb.
    let method: String
    /// The path with its variables in braces.
    let path: String
    /// Its name in a document; `nil` where no document names it.
    var name: String?
    /// Verb and path.
    var title: String { "\(method) \(path)" }
    var count = 0
    /// The bytes of successful responses with a known size, and their number.
    var bytes: (sum: Int64, count: Int64) = (0, 0)
    /// The bytes of requests with a known size, and their number.
    var requestBytes: (sum: Int64, count: Int64) = (0, 0)
    /// The number of responses by status.
    var statuses: [Int16: Int] = [:]
    /// The number of requests for a page by a cursor, and by an offset or page number.
    var paging: (cursor: Int, offset: Int) = (0, 0)

    /// The share of responses with a status in a range.
    func share(of statuses: ClosedRange<Int16>) -> Double {
        let matching = self.statuses.reduce(0) { $0 + (statuses.contains($1.key) ? $1.value : 0) }
        return count == 0 ? 0 : Double(matching) / Double(count)
    }

    /// Takes out so many responses of a status.
    mutating func takeOut(_ status: Int16, _ number: Int) {
        count -= number
        let left = (statuses[status] ?? 0) - number
        statuses[status] = left > 0 ? left : nil
    }

    mutating func add(_ other: LoggedCall) {
        count += other.count
        bytes = (bytes.sum + other.bytes.sum, bytes.count + other.bytes.count)
        requestBytes = (
            requestBytes.sum + other.requestBytes.sum, requestBytes.count + other.requestBytes.count
        )
        statuses.merge(other.statuses, uniquingKeysWith: +)
        paging = (paging.cursor + other.paging.cursor, paging.offset + other.paging.offset)
    }
}

/// One or several logs of the same traffic, after reading.
public struct TrafficLog: Sendable {
    /// The calls, sorted by template.
    var calls: [LoggedCall] = []
    /// Each user's requests in order of arrival, one user after the other: all of them, or a sample
    /// of a large log.
    var requests: [LoggedRequest] = []
    /// The sampling of requests.
    var sampling = Sampling()
    /// Facts about the reading.
    var reading = Reading()
    /// The number of requests in each minute since 1970.
    var minutes: [Int64: Int] = [:]
    /// The index of the call that refreshes tokens, once known.
    var refreshCall: Int?
    /// The service times in histograms, by method and path; usually empty.
    var histograms: [HistogramTimes] = []

    /// Facts about how a log was read.
    struct Reading: Sendable {
        /// The number of lines.
        var lines = 0
        /// The number of lines that were requests.
        var requests = 0
        /// The number of lines that could not be read.
        var broken = 0
        /// The number of lines with named fields that have no request.
        var otherLines = 0
        /// The first broken lines, with letters and digits hidden.
        var quotes: [String] = []
        /// The number of lines that were longer than allowed.
        var tooLong = 0
        /// The number of requests with a verb that profiles do not have.
        var otherMethods = 0
        /// The number of requests that came more than a second before the request above them.
        var unordered = 0
        /// The largest step back in time, in nanoseconds.
        var largestStepBack: Int64 = 0
        /// How many requests stood twice in what was given, and count once.
        var repeated = 0
        /// How far a clock was set back, each time, in nanoseconds.
        var setBack: [Int64] = []
        /// True if the lines of two clocks stand in one file.
        var areClocksMixed = false
        /// The number of servers that a browser's recording has calls to.
        var hosts = 1
        /// The differences of clocks, for files that overlap in time.
        var skews: [ClockSkew] = []
        /// The formats of the files, each once.
        var formats: [String] = []
        /// The units of durations by file, with the evidence and the median in nanoseconds.
        var units: [(source: Int, unit: DurationUnit, median: Double)] = []
        /// The number of requests that are none of the app's, by reason.
        var leftOut: [RequestFilter.Reason: Int] = [:]
        /// The number of words of paths that are not shown, since too few users asked for them.
        var hiddenWords = 0
        /// True for times in whole seconds.
        var isWholeSeconds = false
        /// True if the fractions of times were not those of their seconds, and are not used.
        var areFractionsOthers = false
        /// True if durations were nearly all 0, and are not used.
        var areDurationsZero = false
        /// True if the order of lines shows that their times are those of the requests.
        var areBeginnings = false
        /// The number of requests with a duration.
        var withDuration = 0
        /// The evidence that tells users apart.
        var identity = LogIdentity()
        /// The times of the first request and of the last response, in nanoseconds since 1970.
        var span: (first: Int64, last: Int64) = (.max, .min)
    }

    /// The users and the stretches of time that are kept completely.
    struct Sampling: Sendable {
        /// One user, and one stretch, in this many is kept; a power of two.
        var oneIn: UInt64 = 1
        /// The length of a stretch, in nanoseconds.
        static let stretch: Int64 = 120_000_000_000

        /// True for a user who is kept; a request without a known user is kept by its stretch only.
        func keepsPerson(_ person: UInt32) -> Bool {
            oneIn == 1 || person != 0 && Self.mixed(UInt64(person)) & (oneIn - 1) == 0
        }

        func keepsTime(_ time: Int64) -> Bool {
            Self.mixed(UInt64(bitPattern: time / Self.stretch) &+ 77) & (oneIn - 1) == 0
        }

        private static func mixed(_ word: UInt64) -> UInt64 {
            var value = (word ^ word >> 31) &* 0x9E37_79B9_7F4A_7C15
            value = (value ^ value >> 29) &* 0xBF58_476D_1CE4_E5B9
            return value ^ value >> 32
        }
    }

    /// True if most requests have a status: without one nothing tells what was refused or failed.
    var hasStatuses: Bool {
        let (all, without) = calls.reduce((0, 0)) { sum, call in
            (sum.0 + call.count, sum.1 + (call.statuses[0] ?? 0))
        }
        return without * 2 <= all
    }

    /// The length of the log, in nanoseconds.
    var span: Int64 { max(0, reading.span.last - reading.span.first) }
}

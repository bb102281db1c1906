/// A request that a log told of; nothing in it leads back to a person.
struct LoggedRequest: Sendable {
    /// When it came, in nanoseconds since 1970.
    var began: Int64
    /// How long the server had it, in nanoseconds; -1 where the log does not say.
    var duration: Int64
    /// A number that stands for whoever sent it; 0 where nothing tells people apart.
    var person: UInt64
    /// Which call it was, as a position in the log's list.
    var call: Int32
    /// What it was answered; 0 where the log does not say.
    var status: Int16
    /// Whether its query asks for a further page.
    var isNextPage: Bool
    /// Which file it is from, counted from 0; 255 stands for all beyond.
    var source: UInt8 = 0

    /// When it was answered, as far as is known.
    var ended: Int64 { began + max(0, duration) }
}

/// A call as a log shows it, over all of its requests.
public struct LoggedCall: Hashable, Sendable {
    /// The verb.
    public let method: String
    /// The path with its variables in braces.
    public let path: String
    /// How many requests it had.
    public var count = 0
    /// The bytes of the answers that were successes and told their size.
    var bytes: (sum: Int64, count: Int64) = (0, 0)
    /// The bytes of requests that told their size.
    var requestBytes: (sum: Int64, count: Int64) = (0, 0)
    /// How many answers had each status.
    var statuses: [Int16: Int] = [:]
    /// How many asked for a page by a cursor, and by an offset or a number of the page.
    var paging: (cursor: Int, offset: Int) = (0, 0)

    /// Whether the calls are the same.
    public static func == (left: LoggedCall, right: LoggedCall) -> Bool {
        left.method == right.method && left.path == right.path && left.count == right.count
    }

    /// Tells calls apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(path)
    }

    /// The share of answers with a status in a range.
    func share(of statuses: ClosedRange<Int16>) -> Double {
        let matching = self.statuses.reduce(0) { $0 + (statuses.contains($1.key) ? $1.value : 0) }
        return count == 0 ? 0 : Double(matching) / Double(count)
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

/// What was read of one or several logs of the same traffic.
public struct TrafficLog: Sendable {
    /// The calls, in the order of their templates.
    public internal(set) var calls: [LoggedCall] = []
    /// Requests in the order in which they came: all of them, or of large logs a sample.
    var requests: [LoggedRequest] = []
    /// Which requests are in the sample.
    var sampling = Sampling()
    /// What was met while reading.
    public internal(set) var reading = Reading()
    /// How many requests came in each minute since 1970.
    var minutes: [Int64: Int] = [:]
    /// The call that refreshes tokens, when somebody found out.
    var refreshCall: Int?
    /// The laws of service times that histograms told, by method and path; empty usually.
    var histograms: [HistogramTimes] = []

    /// How a log was read.
    public struct Reading: Sendable {
        /// How many lines there were.
        public var lines = 0
        /// How many of them were requests.
        public var requests = 0
        /// How many could not be read.
        public var broken = 0
        /// What the first of those look like, letters and digits hidden.
        public var quotes: [String] = []
        /// How many lines were longer than any log's.
        public var tooLong = 0
        /// How many requests had a verb that profiles do not have.
        public var otherMethods = 0
        /// How many came before the one above them by more than a second.
        public var unordered = 0
        /// How far the largest step back went, in nanoseconds.
        public var largestStepBack: Int64 = 0
        /// How many servers a browser's recording has calls to.
        var hosts = 1
        /// How far clocks are apart, where files tell of the same time.
        var skews: [ClockSkew] = []
        /// How the files are written, each form once.
        public var formats: [String] = []
        /// Whether times tell only the second.
        public var isWholeSeconds = false
        /// How many requests told how long they took.
        public var withDuration = 0
        /// How many told a user, a token, an address, or nothing, of whoever sent them.
        public var persons = [3: 0, 2: 0, 1: 0, 0: 0]
        /// When the first request came and the last was answered, in nanoseconds since 1970.
        public var span: (first: Int64, last: Int64) = (.max, .min)
    }

    /// Of which people, and of which stretches of time, every request is kept.
    struct Sampling: Sendable {
        /// One person in so many, and one stretch in so many; powers of two.
        var oneIn: UInt64 = 1
        /// How long a stretch is, in nanoseconds.
        static let stretch: Int64 = 120_000_000_000

        /// A request without a known person is kept by stretches only.
        func keepsPerson(_ person: UInt64) -> Bool {
            oneIn == 1 || person != 0 && Self.mixed(person) & (oneIn - 1) == 0
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

    /// How long the log is, in nanoseconds.
    public var span: Int64 { max(0, reading.span.last - reading.span.first) }
}

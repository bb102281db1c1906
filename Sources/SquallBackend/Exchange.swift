import SquallHTTP
import SquallKernel

/// One request on its way, from leaving the client until the client has its outcome.
///
/// A class: each of its five events changes it, and copying a request costs more than the event.
final class Exchange: Suspension, @unchecked Sendable {
    // Safe because it is touched on the simulation's thread only.

    typealias Result = Swift.Result<TransportResponse, TransportError>

    let request: URLRequest
    let cause: RequestCause
    /// Kept whole, as it was found: taking it apart copies each of its parts.
    private let destination: Destination
    let handedOver: Instant
    /// The backend that is told when its client's task is cancelled; that task keeps it.
    unowned(unsafe) var backend: Backend?
    /// The number under which it is kept while it is under way.
    var number: UInt64?
    /// The place of the next one in the line that it waits in.
    var nextWaiting = ConnectionLine.none
    /// What waits for the outcome.
    var continuation: UnsafeContinuation<Result, Never>?
    /// What is told the outcome where no task waits for it.
    @exclusivity(unchecked) var told: ((Result) -> Void)?
    /// True if it is told in a turn of its own, as a task would be; until then `outcome` is kept.
    var isToldInTurn = false
    @exclusivity(unchecked) var outcome: Result?
    /// True if the client's task was cancelled, if only before it began to wait.
    private(set) var isCancelled = false
    /// False once its client has stopped waiting: the work is still done, and the response dropped.
    var hasClient = true
    /// True for a second delivery by the network, without the client's knowledge.
    let isDuplicate: Bool
    /// When it got a connection.
    var sent = Instant.start
    /// When the server got it.
    var arrived = Instant.start
    /// When a worker took it.
    var started = Instant.start
    /// The worker who took it; -1 before.
    var worker: Int32 = -1
    /// The server's pool that it waits for or is worked on by.
    var pool: Int32 = 0
    /// What ends its wait or the work on it, where something else can end that before.
    var ending: Timer?
    /// Where it is in the database.
    var query = Query.none
    /// The attempt's time-out, while it could come.
    var timeout: Timer?
    /// True if its token had expired when the work on it began, where refusing takes another time.
    var isRefused = false
    /// True as soon as the server knows that its client has given up.
    var isAbandoned = false
    /// The response as it travels, once it is made, the page that it is, and what it means: by the
    /// rules of its service, unless a fault says it.
    @exclusivity(unchecked) private(set) var response: TransportResponse?
    @exclusivity(unchecked) private(set) var page: ListPage?
    @exclusivity(unchecked) private(set) var meaning = AnswerMeaning.none
    private var isMeaningSaid = false
    /// The tokens that the response brings, where tokens are followed or the call is about them.
    var brings: TokenTexts?
    var stage = Stage.waitingForConnection
    /// The key of its user's random streams, and the number of its draws on them.
    var streamKey: UInt64 = 0
    var draw: UInt64 = 0
    /// Its host and connection in the table of connections; -1 without one.
    var (host, connection): (Int32, Int32) = (-1, -1)
    /// True if its connection is dead and neither side has noticed.
    var isCutOff = false
    /// True if it is on a connection, or was on one that is dead unnoticed.
    var isOnConnection: Bool { connection >= 0 || isCutOff }
    /// True if the server has said that it did not process it: a repetition is safe.
    var isUnprocessed = false
    /// The repetition that its client sent in its place, by itself.
    private(set) var successor: Exchange?
    /// True if it is the repetition of another exchange.
    let isRepetition: Bool
    /// Where connections are set up: when it went on its connection, and its answer's first byte
    /// came.
    var (wired, firstByte) = (Instant.start, Instant.start)

    init(
        _ request: URLRequest, cause: RequestCause, to destination: Destination, at now: Instant
    ) {
        self.request = request
        self.cause = cause
        self.destination = destination
        handedOver = now
        isDuplicate = false
        isRepetition = false
    }

    /// A request that a client hands to its backend now.
    convenience init(_ request: URLRequest, cause: RequestCause, of backend: Backend) {
        let destination = backend.services.destination(of: request)
        self.init(request, cause: cause, to: destination, at: backend.simulation.now)
        self.backend = backend
    }

    /// A second delivery of a request, which the network makes on the way up.
    init(duplicating original: Exchange) {
        request = original.request
        cause = original.cause
        destination = original.destination
        handedOver = original.handedOver
        sent = original.sent
        stage = .travelling
        hasClient = false
        streamKey = original.streamKey
        draw = original.draw
        isDuplicate = true
        isRepetition = false
    }

    /// Makes the repetition that a client sends by itself when the connection has ended; the client
    /// waits for this one now.
    init(repeating original: Exchange) {
        request = original.request
        cause = original.cause
        destination = original.destination
        handedOver = original.handedOver
        sent = original.sent
        streamKey = original.streamKey
        draw = original.draw &+ 0x9E37_79B9_7F4A_7C15
        isDuplicate = true
        isRepetition = true
        backend = original.backend
        continuation = original.continuation
        (told, isToldInTurn) = (original.told, original.isToldInTurn)
        (original.continuation, original.told, original.hasClient) = (nil, nil, false)
        original.successor = self
    }

    /// The service that answers it.
    var service: RoutedService { destination.service }
    /// Its endpoint and path; `nil` when its service does not know it.
    var route: Route? { destination.route }
    /// The call that results count it as.
    var endpoint: Endpoint { destination.endpoint }

    var isSent: Bool { if case .waitingForConnection = stage { false } else { true } }

    /// Asks for the case alone: a comparison with `nil` would copy the response.
    var isAnswered: Bool { if case .some = response { true } else { false } }

    /// The response as its service made it.
    var answer: Answer? {
        response.map { response in
            var answer = Answer(
                status: response.head.statusCode, headers: response.head.headers,
                body: response.body, page: page)
            answer.meaning = isMeaningSaid ? meaning : nil
            return answer
        }
    }

    /// Its place in the table while it is under way.
    var place: UInt32 { UInt32(truncatingIfNeeded: number ?? .max) }

    /// The number of the attempt among the user's.
    var ordinal: UInt64 { UInt64(cause.request) << 16 | UInt64(cause.attempt) }

    /// The tokens that its request shows; `nil` when its service does not say.
    var shownTokens: TokenTexts? { service.service.tokens(in: request, to: route) }

    /// The exchange that its client waits for: the newest repetition, or itself.
    var newest: Exchange { successor?.newest ?? self }

    func taskWasCancelled() {
        isCancelled = true
        backend?.cancel(newest)
    }

    /// Keeps the response.
    func take(_ answer: Answer) {
        isMeaningSaid = answer.meaning != nil
        meaning = answer.meaning ?? service.service.meaning(of: answer, to: route)
        page = answer.page
        response = TransportResponse(
            to: request, statusCode: answer.status, headers: answer.headers, body: answer.body)
    }

    /// Hands the outcome to the client, once at most.
    func resume(_ result: consuming Result) {
        if let continuation {
            self.continuation = nil
            return continuation.resume(returning: result)
        }
        guard isToldInTurn, told != nil, let backend else { return tell(result) }
        outcome = result
        backend.giveTurn(to: self)
    }

    /// It has its turn: tells the outcome that was kept for it, and drops the event's reference.
    static func takeTurn(_ argument: UInt64) {
        guard let pointer = UnsafeRawPointer(bitPattern: UInt(argument)) else { return }
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
        TrapReport.note(user: Int(exchange.cause.user))
        guard let outcome = exchange.outcome else { return }
        exchange.outcome = nil
        exchange.tell(outcome)
    }

    private func tell(_ result: Result) {
        let told = told
        self.told = nil
        told?(result)
    }

    /// Where an exchange is in the database.
    enum Query {
        case none
        /// It waits for a connection, since this moment.
        case waits(since: Instant)
        /// It has a connection.
        case runs
    }

    /// Where an exchange is; it leaves each stage once, for a later one.
    enum Stage {
        /// All of the user's connections are taken.
        case waitingForConnection
        /// Its connection is being set up.
        case connecting
        /// On the wire, up.
        case travelling
        /// In the server's queue.
        case queued
        /// In a worker's hands.
        case served
        /// On the wire, down.
        case returning
        /// Lost on either way, and the client does not know it yet.
        case lost
        /// The connection breaks with this error.
        case breaking(TransportError.Code)
    }
}

/// Exchanges under way, each in a place of its own until it is over.
///
/// A place is reused, so the upper half of a number counts the exchanges that had the place: an
/// event for an exchange that is over does not find the next one.
struct ExchangeTable {
    private var places: [Place] = []
    private var free: [UInt32] = []

    private struct Place {
        var tenancy: UInt32 = 0
        var exchange: Exchange?
        /// Where the request's parts, the task that waits and the end of its stack are in memory,
        /// or were.
        var (request, task, stackEnd): (UInt, UInt, UInt) = (0, 0, 0)
    }

    var count: Int { places.count - free.count }

    /// Keeps an exchange, under a number that names it until it is removed.
    mutating func insert(_ exchange: Exchange, stackEnd: UInt = 0) -> UInt64 {
        if free.isEmpty {
            free.append(UInt32(places.count))
            places.append(Place())
        }
        let place = Int(free.removeLast())
        places[place].exchange = exchange
        places[place].task = exchange.continuation.map { unsafeBitCast($0, to: UInt.self) } ?? 0
        places[place].stackEnd = stackEnd
        places[place].request = unsafeBitCast(exchange.request, to: UInt.self)
        return UInt64(places[place].tenancy) << 32 | UInt64(place)
    }

    /// The exchange of a number, if it is still under way.
    subscript(number: UInt64) -> Exchange? {
        isCurrent(number) ? places[place(number)].exchange : nil
    }

    /// The exchange at a place, if one is there.
    func exchange(at place: UInt32) -> Exchange? { places[Int(place)].exchange }

    /// Asks for the memory of an exchange that goes on soon.
    func prefetchState(_ number: UInt64) {
        let place = place(number)
        guard place < places.count else { return }
        places.withUnsafeBufferPointer { places in
            prefetch(unsafeBitCast(places[place].exchange, to: UInt.self), byteCount: 448)
            prefetch(places[place].request, byteCount: 192)
        }
    }

    /// Asks also for that of the task which waits for its end.
    func prefetchEnd(of number: UInt64) {
        prefetchState(number)
        let place = place(number)
        guard place < places.count else { return }
        prefetch(places[place].task, byteCount: 448)
        prefetch(places[place].stackEnd &- 896, byteCount: 960)
    }

    /// Every exchange under way.
    var all: [Exchange] { places.compactMap(\.exchange) }

    /// Forgets an exchange.
    mutating func remove(_ number: UInt64) {
        guard isCurrent(number) else { return }
        places[place(number)].exchange = nil
        places[place(number)].tenancy &+= 1
        free.append(UInt32(place(number)))
    }

    /// How many exchanges there are of each sort.
    ///
    /// - Complexity: O(the most that were ever under way at once).
    var census: Census {
        places.reduce(into: Census()) { census, place in
            guard let exchange = place.exchange else { return }
            census.count(exchange)
        }
    }

    private func place(_ number: UInt64) -> Int { Int(number & 0xFFFF_FFFF) }

    private func isCurrent(_ number: UInt64) -> Bool {
        place(number) < places.count && UInt64(places[place(number)].tenancy) == number >> 32
    }
}

/// How many exchanges are at each stage.
struct Census: Equatable {
    /// With a client that waits.
    var withClient: Int64 = 0
    /// On their way up.
    var travelling: Int64 = 0
    /// In the queue or in a worker's hands.
    var atServer: Int64 = 0
    /// The sum of the instants at which those arrived there.
    var arrivalNanoseconds: Int128 = 0
    /// On their way down.
    var returning: Int64 = 0

    mutating func count(_ exchange: Exchange) {
        if exchange.hasClient { withClient += 1 }
        switch exchange.stage {
        case .travelling: travelling += 1
        case .queued, .served:
            atServer += 1
            arrivalNanoseconds += Int128(exchange.arrived.nanoseconds)
        case .returning: returning += 1
        case .waitingForConnection, .connecting, .lost, .breaking: break
        }
    }
}

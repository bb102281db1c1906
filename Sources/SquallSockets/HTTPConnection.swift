import SquallHTTP

/// One client's connection as a state machine: bytes in, requests out, responses in, bytes out.
///
/// It knows neither sockets nor clocks. One request at a time is under way; the next one is read
/// when that is answered. Times are nanoseconds of one clock.
final class HTTPConnection {
    private let limits: HTTPLimits
    private var reader: RequestReader
    private var input: [UInt8] = []
    private var start = 0
    /// The bytes to be sent, from ``sent`` on.
    private(set) var output: [UInt8] = []
    /// The number of bytes of the output that were sent.
    private(set) var sent = 0
    /// The request under way, as far as its response depends on it.
    private var asked: (isHead: Bool, isOld: Bool, keepsAlive: Bool, bodyBytes: Int)?
    private var hasToldContinue = false
    /// True while the body of the request under way still comes.
    private(set) var isUploading = false
    /// The response that is being sent in pieces.
    private var answering: (start: ResponseStart, isChunked: Bool, hasBody: Bool)?
    /// True as soon as a response has freed the connection for a request that may be here already.
    private(set) var mayHaveRequest = false
    /// True as soon as the client has said that it sends nothing more.
    private(set) var hasInputEnded = false
    private var state = State.open
    /// How many responses were sent.
    private var answered = 0
    /// When it last made progress, and when the head began that is being read.
    private var progress: Int64
    private var headBegan: Int64?
    /// When bytes came last, and when the first ones came of the request that is being read.
    private var receivedAt: Int64
    private var nextBegan: Int64?
    /// When the first bytes came of the request that was read last.
    private(set) var requestBegan: Int64

    private enum State {
        case open
        /// It ends when everything is sent.
        case ending
        /// Nothing more is sent; what the client still sends is read and forgotten until then, so
        /// that its system does not throw the response away.
        case lingering(until: Int64, atMost: Int64)
    }

    /// A connection that begins now, for requests to an origin.
    init(_ limits: HTTPLimits, origin: String, at now: Int64) {
        self.limits = limits
        reader = RequestReader(limits, origin: origin)
        (progress, receivedAt, requestBegan) = (now, now, now)
    }

    /// True while a request is under way.
    var isBusy: Bool { asked != nil }

    /// True while bytes are left to send.
    var hasOutput: Bool { sent < output.count }

    /// True where more input is wanted now; the rest stays with its sender.
    var wantsInput: Bool {
        guard !hasInputEnded else { return false }
        if case .lingering = state { return true }
        let hasRoom = input.count - start < limits.waitingBytes
        return isUploading ? hasRoom : !hasOutput && (!isBusy || hasRoom)
    }

    /// True as soon as the last response was sent whole, so that the output can end.
    var isOutputOver: Bool {
        guard case .ending = state else { return false }
        return !isBusy && !hasOutput
    }

    /// The number of bytes that are kept for it: what has come of a request until that is answered,
    /// and what is to be sent.
    var heldBytes: Int {
        input.count - start + reader.bodyBytes + (asked?.bodyBytes ?? 0) + output.count - sent
    }

    /// True while a body is coming that was not taken yet.
    var isCollecting: Bool { !isBusy && reader.isInBody }

    /// True while nothing is under way on it, and nothing of a request has come.
    var isResting: Bool {
        guard case .open = state else { return false }
        return !isBusy && !hasOutput && input.count == start && !reader.isInHead
            && !reader.isInBody
    }

    /// True as soon as nothing more can happen on it.
    var isOver: Bool {
        if case .lingering = state { return hasInputEnded }
        return hasInputEnded && !isBusy && !hasOutput && input.count == start
    }

    /// Takes what came.
    func receive(_ bytes: UnsafeRawBufferPointer, at now: Int64) {
        if case .lingering(_, let end) = state {
            state = .lingering(until: min(end, now + limits.lingerNanoseconds), atMost: end)
            return
        }
        (progress, receivedAt) = (now, now)
        input.append(contentsOf: bytes)
    }

    /// The client sends nothing more, though it may wait for responses.
    func endInput() { hasInputEnded = true }

    /// The next request, where none is under way; what is wrong with one is answered here.
    func nextRequest(at now: Int64) -> IncomingRequest? {
        mayHaveRequest = false
        guard !isBusy, case .open = state, start < input.count else { return nil }
        if headBegan == nil { headBegan = now }
        let began = nextBegan ?? receivedAt
        nextBegan = began
        do throws(RequestProblem) {
            guard let incoming = try read() else {
                if !reader.isInHead { headBegan = nil }
                if reader.awaitsContinue, !hasToldContinue {
                    hasToldContinue = true
                    output += Self.leave.utf8
                }
                // A request that will never be complete gets no response.
                if hasInputEnded { (input, start) = ([], 0) }
                return nil
            }
            (hasToldContinue, headBegan) = (false, nil)
            (nextBegan, requestBegan) = (nil, began)
            isUploading = !incoming.isWhole
            let isHead = incoming.request.method == .head
            asked = (
                isHead, incoming.isOld, incoming.keepsAlive, incoming.request.body.count
            )
            return incoming
        } catch {
            refuse(error)
            return nil
        }
    }

    private static let leave = "HTTP/1.1 100 Continue\r\n\r\n"

    private func read() throws(RequestProblem) -> IncomingRequest? {
        try read { reader, bytes, used throws(RequestProblem) in
            try reader.read(bytes, used: &used)
        }
    }

    /// Takes the part of the body that has come of the request under way; `isEnd` is true for its
    /// last; `nil` where nothing has come, or nothing will.
    ///
    /// - Throws: the request's problem, after which nothing more can be read from this connection.
    func takeBody() throws(RequestProblem) -> (bytes: [UInt8], isEnd: Bool)? {
        guard isUploading else { return nil }
        guard start < input.count else {
            if hasInputEnded { throw .malformed("the body ended before its end") }
            return nil
        }
        let piece = try read { reader, bytes, used throws(RequestProblem) in
            try reader.readBody(bytes, used: &used)
        }
        if piece.isEnd { isUploading = false }
        return piece
    }

    private func read<Value>(
        by body: (inout RequestReader, UnsafeRawBufferPointer, inout Int) throws(RequestProblem)
            -> Value
    ) throws(RequestProblem) -> Value {
        var used = 0
        let result = input.withUnsafeBytes { bytes -> Result<Value, RequestProblem> in
            let unread = UnsafeRawBufferPointer(rebasing: bytes[start...])
            do throws(RequestProblem) {
                return .success(try body(&reader, unread, &used))
            } catch { return .failure(error) }
        }
        start += used
        if start == input.count {
            input.removeAll(keepingCapacity: input.count < 4_096)
            start = 0
        } else if start > limits.waitingBytes {
            input.removeFirst(start)
            start = 0
        }
        return try result.get()
    }

    /// Answers what cannot be read, and ends.
    func refuse(_ problem: RequestProblem) {
        guard !isAnswering else { return }
        asked = (isHead: false, isOld: false, keepsAlive: false, bodyBytes: 0)
        reader.forget()
        (input, start, headBegan) = ([], 0, nil)
        var headers: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8"]
        if problem.status == 503 { headers.add(name: "Retry-After", value: "1") }
        respond(status: problem.status, headers: headers, body: Body(problem.text + "\n"))
    }

    /// Answers the request under way; where it is the `last`, the connection ends then.
    func respond(status: Int, headers: HTTPHeaders, body: Body, isLast: Bool = false) {
        guard let asked, answering == nil else { return }
        let keepsAlive = willKeepAlive(asked.keepsAlive, isLast: isLast)
        output.append(
            response: status, headers, body: body, isHead: asked.isHead,
            connection: Self.connection(keepsAlive, isOld: asked.isOld))
        over(keepsAlive: keepsAlive)
    }

    /// Begins the response to the request under way, whose body comes by ``append(_:)`` up to
    /// ``endResponse()``.
    func begin(_ start: ResponseStart, isLast: Bool) {
        guard let asked, answering == nil else { return }
        let hasBody = ResponseStart.hasBody(start.status)
        // A client of HTTP/1.0 knows the end of such a body only by that of the connection.
        let isOpen = start.length == nil && hasBody && asked.isOld
        let keepsAlive = willKeepAlive(asked.keepsAlive, isLast: isLast || isOpen)
        let framing: BodyReader.Framing? =
            !hasBody ? nil : start.length.map { .length($0) } ?? (isOpen ? .untilEnd : .chunked)
        output.append(
            start, framing: framing, connection: Self.connection(keepsAlive, isOld: asked.isOld))
        answering = (start, framing == .chunked, hasBody && !asked.isHead)
        self.asked?.keepsAlive = keepsAlive
    }

    /// Sends a piece of the body.
    func append(_ piece: UnsafeRawBufferPointer) {
        guard let answering, answering.hasBody, !piece.isEmpty else { return }
        if answering.isChunked { output += "\(String(piece.count, radix: 16))\r\n".utf8 }
        output += piece
        if answering.isChunked { output += "\r\n".utf8 }
    }

    /// The body is whole.
    func endResponse() {
        guard let asked, let answering else { return }
        if answering.isChunked, answering.hasBody { output += "0\r\n\r\n".utf8 }
        over(keepsAlive: willKeepAlive(asked.keepsAlive, isLast: false))
    }

    /// True while a response is sent in pieces.
    var isAnswering: Bool { answering != nil }

    private func willKeepAlive(_ wish: Bool, isLast: Bool) -> Bool {
        // Where the rest of a body is not awaited, no other request can be read behind it.
        wish && !isLast && answered + 1 < limits.requestsPerConnection && !isUploading
            && (!hasInputEnded || start < input.count)
    }

    private static func connection(_ keepsAlive: Bool, isOld: Bool) -> String? {
        !keepsAlive ? "close" : isOld ? "keep-alive" : nil
    }

    /// The response is whole.
    private func over(keepsAlive: Bool) {
        (asked, answering, isUploading) = (nil, nil, false)
        answered += 1
        mayHaveRequest = keepsAlive && start < input.count
        if !keepsAlive { state = .ending }
    }

    /// Says nothing that a client would notice, but learns whether it is still there.
    ///
    /// A client that has gone and one that only ends its output look alike; only its system's
    /// response to some bytes tells them apart.
    func probe() {
        guard let asked, !asked.isOld, !hasOutput, !isAnswering else { return }
        output += Self.leave.utf8
    }

    /// Notes that so many bytes of the output were sent.
    func advance(by count: Int, at now: Int64) {
        sent += count
        progress = now
        guard sent == output.count else {
            // What goes on and on does not stay.
            guard isAnswering, sent > output.count / 2 else { return }
            output.removeFirst(sent)
            sent = 0
            return
        }
        output.removeAll(keepingCapacity: output.count < 65_536)
        sent = 0
    }

    /// The output has ended; the client is listened to for a while, a shorter one where its server
    /// is ending.
    func linger(at now: Int64, isEnding: Bool = false) {
        (input, start) = ([], 0)
        let (span, most) =
            isEnding
            ? (limits.endingLingerNanoseconds, limits.endingLingerNanoseconds)
            : (limits.lingerNanoseconds, limits.lingerNanosecondsMax)
        state = .lingering(until: now + span, atMost: now + most)
    }

    /// The connection is to end as soon as it can: at once where it rests.
    func endSoon() {
        if case .open = state { state = .ending }
        if var asked {
            asked.keepsAlive = false
            self.asked = asked
            state = .open
        }
    }

    /// The time at which the client will be too slow, unless something happens; `nil` for never.
    var slowAt: Int64? {
        if case .lingering(let end, _) = state { return end }
        let stillAt = progress + limits.idleNanoseconds
        if hasOutput { return stillAt }
        if isUploading { return wantsInput && start == input.count ? stillAt : nil }
        if isBusy { return nil }
        if reader.isInHead, let headBegan { return headBegan + limits.headNanoseconds }
        guard answered > 0, let rest = limits.restNanoseconds else { return stillAt }
        return progress + rest
    }

    /// The measure against a client that is too slow; `nil` for one that is not.
    func slowness(at now: Int64) -> Slowness? {
        guard let slowAt, now > slowAt else { return nil }
        if case .lingering = state { return .close }
        let isInRequest = reader.isInBody || reader.isInHead && headBegan != nil
        return !hasOutput && !isUploading && isInRequest ? .refuse : .close
    }

    /// A measure against a client that is too slow.
    enum Slowness {
        /// Its request is answered with 408.
        case refuse
        case close
    }
}

import CSockets
import SquallHTTP

/// A connection of a ``SocketClient``, with the request that it carries.
final class ClientConnection {
    private var channel: ByteChannel
    let lane: SocketClient.Lane
    private unowned let client: SocketClient
    private var stage = Stage.connecting
    /// The event for which the handshake of TLS waits.
    private var handshakeWaits = squall_writable
    private var exchange: ClientExchange?
    /// The number of addresses that were tried before this one.
    private let attempt: Int
    private var reader: ResponseReader?
    /// The bytes that were read and not yet taken, from ``start`` on.
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var sent = 0
    /// True as soon as it has carried a request: only then can its server have closed it unseen.
    private var isUsed = false
    /// True as soon as a byte of the response has come: the request is not sent again.
    private var hasHeard = false
    /// True as soon as the server takes nothing more; it may still have responded.
    private var isOutputBroken = false
    private var keepsAlive = false
    private var progress: Int64
    /// The time at which its request was given to it.
    private var begun: Int64
    private var freeUntil: Int64 = .max
    private var watched = UInt32(squall_writable)
    private(set) var isWatched = true
    var isClosed = false

    private enum Stage {
        case connecting
        case handshaking
        case open
    }

    private static let readsPerTurn = 4
    private static let sendsPerTurn = 64

    init(_ file: Int32, _ exchange: ClientExchange, attempt: Int, at now: Int64) {
        channel = ByteChannel(file)
        (self.exchange, self.attempt, lane) = (exchange, attempt, exchange.lane)
        client = exchange.client
        (progress, begun) = (now, now)
        exchange.connection = self
    }

    var file: Int32 { channel.file }

    var isOpen: Bool { stage == .open }

    /// The number of bytes that wait to be sent.
    var backlog: Int { output.count - sent }

    private func prepare(_ exchange: ClientExchange) {
        exchange.request.append(to: &output, authority: exchange.target.authority)
        output += exchange.takeEarly()
        reader = ResponseReader(
            headBytes: client.limits.headBytes, isHead: exchange.request.method == .head,
            known: client.knownHeads)
    }

    /// Carries the next request.
    func start(_ exchange: ClientExchange, at now: Int64) {
        (self.exchange, exchange.connection) = (exchange, self)
        (isUsed, hasHeard, progress, begun, freeUntil) = (true, false, now, now, .max)
        prepare(exchange)
        flush()
    }

    /// True while the server has not closed the free connection and its time is not over: it can
    /// carry another request.
    func isStillGood(at now: Int64) -> Bool {
        guard now < freeUntil else { return false }
        var byte: UInt8 = 0
        return squall_would_block(channel.receive(&byte, 1)) != 0
    }

    func ready(for events: Int, at now: Int64) {
        if stage != .open {
            guard stage == .handshaking ? handshake(at: now) : hasConnected(at: now) else {
                return
            }
        } else if events & squall_writable != 0 {
            let hadBacklog = backlog > 0
            flush()
            if hadBacklog { progress = now }
            if hadBacklog, backlog == 0, !isClosed { askForBody() }
        }
        guard !isClosed else { return }
        if exchange?.isPaused == true {
            // A broken socket is always ready; it is looked at again once the response is read
            // again.
            if events & squall_broken != 0 { unwatch() } else { update() }
            return
        }
        if events & (squall_readable | squall_broken) != 0 { receive(at: now) }
    }

    private func askForBody() {
        guard let exchange, !exchange.isComplete else { return }
        exchange.tell(.wantsBody)
    }

    /// Looks how connecting has ended.
    private func hasConnected(at now: Int64) -> Bool {
        let result = squall_connected(file)
        guard squall_in_progress(Int(result)) == 0, let exchange else { return false }
        guard result == 0 else {
            hasNotConnected(exchange, HTTPTarget.problem(-result), at: now)
            return false
        }
        guard let trust = exchange.target.trust else { return hasOpened(exchange, at: now) }
        (stage, progress) = (.handshaking, now)
        channel.secure(trust, host: exchange.target.address.host)
        return handshake(at: now)
    }

    /// Goes on with the handshake of TLS.
    private func handshake(at now: Int64) -> Bool {
        guard let exchange else { return false }
        switch channel.shake() {
        case .done: return hasOpened(exchange, at: now)
        case .waits(let events):
            handshakeWaits = events
            update()
        case .failed(let kind, let reason):
            fail(exchange, exchange.target.unreachable(kind, because: reason), at: now)
        }
        return false
    }

    private func hasOpened(_ exchange: ClientExchange, at now: Int64) -> Bool {
        (stage, progress) = (.open, now)
        exchange.target.reached(attempt: attempt)
        client.hasConnected()
        prepare(exchange)
        flush()
        askForBody()
        return !isClosed
    }

    private func hasNotConnected(_ exchange: ClientExchange, _ reason: String, at now: Int64) {
        client.close(self)
        (self.exchange, exchange.connection) = (nil, nil)
        client.connect(exchange, attempt: attempt + 1, at: now, because: reason)
    }

    func give(_ bytes: some Sequence<UInt8>) {
        if !isOutputBroken { output += bytes }
    }

    /// Sends what there is; a server that takes nothing more may still have responded.
    func flush() {
        guard stage == .open, !isClosed else { return }
        for _ in 0..<Self.sendsPerTurn where backlog > 0 {
            let count = output.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return channel.send(rest.baseAddress, rest.count)
            }
            guard count >= 0 else {
                guard squall_would_block(count) == 0 else { break }
                isOutputBroken = true
                sent = output.count
                break
            }
            sent += count
        }
        if backlog == 0 {
            output.removeAll(keepingCapacity: output.count < 65_536)
            sent = 0
        } else if sent > output.count / 2 {
            output.removeFirst(sent)
            sent = 0
        }
        update()
    }

    /// Takes what was held back while the request was paused.
    func goOn(at now: Int64) {
        guard !isClosed else { return }
        progress = now
        takeInput(at: now)
        update()
    }

    /// Watches for what it now waits for.
    private func update() {
        guard !isClosed else { return }
        let reads = stage == .open && exchange?.isPaused != true
        let writes = stage == .connecting || backlog > 0
        let wanted =
            stage == .handshaking
            ? UInt32(handshakeWaits)
            : UInt32((reads ? squall_readable : 0) | (writes ? squall_writable : 0))
        if !isWatched {
            guard wanted != 0 else { return }
            isWatched = true
            client.watch.add(file, for: Int(wanted), of: client.owner)
        } else if wanted != watched {
            client.watch.change(file, to: wanted)
        }
        watched = wanted
    }

    /// Closes its socket; only its client knows what else there is to do.
    func closeChannel(isReset: Bool) {
        channel.close(isReset: isReset)
        isClosed = true
    }

    private func unwatch() {
        client.watch.remove(file)
        isWatched = false
    }
}

extension ClientConnection {
    private func receive(at now: Int64) {
        for _ in 0..<Self.readsPerTurn where !isClosed && exchange?.isPaused != true {
            let count = channel.receive(client.buffer.baseAddress, client.buffer.count)
            guard count > 0 else {
                if squall_would_block(count) == 0 { inputEnded(Int32(-count), at: now) }
                break
            }
            // What no request asked for is no response.
            guard exchange != nil else { return client.close(self) }
            (progress, hasHeard) = (now, true)
            take(UnsafeRawBufferPointer(rebasing: client.buffer[..<count]), at: now)
            if count < client.buffer.count, !channel.isInPieces { break }
        }
        update()
    }

    private func take(_ bytes: UnsafeRawBufferPointer, at now: Int64) {
        guard input.isEmpty else {
            input += bytes
            return takeInput(at: now)
        }
        let used = read(bytes, at: now)
        if used < bytes.count, !isClosed { input = Array(bytes[used...]) }
    }

    private func takeInput(at now: Int64) {
        guard !input.isEmpty else { return }
        let held = input
        input = []
        let used = held.withUnsafeBytes { read($0, at: now) }
        if used < held.count, !isClosed { input = Array(held[used...]) }
    }

    /// Tells what there is of the response; returns how much that was.
    private func read(_ bytes: UnsafeRawBufferPointer, at now: Int64) -> Int {
        var used = 0
        while let exchange, !exchange.isPaused, !isClosed {
            do throws(ResponseProblem) {
                guard let part = try reader?.read(bytes, used: &used) else { return used }
                switch part {
                case .interim(let head): exchange.tell(.interim(head))
                case .head(let head):
                    keep(head, at: now)
                    exchange.tell(.head(head))
                case .body(let place):
                    exchange.tell(.body(UnsafeRawBufferPointer(rebasing: bytes[place])))
                case .end:
                    finish(exchange, hasMore: used < bytes.count)
                    return used
                }
            } catch { fail(exchange, error, at: now) }
        }
        return used
    }

    private func keep(_ head: ResponseHead, at now: Int64) {
        keepsAlive = head.keepsAlive
        // A server closes a moment after what it announces at the latest, also when that is now.
        let seconds = head.keepAliveSeconds.map { Int64(max(0, min($0, 86_400))) * 1_000_000_000 }
        let announced = seconds.map { max($0 - 1_000_000_000, $0 / 2) } ?? .max
        freeUntil = now + min(client.limits.keepNanoseconds, announced)
    }

    private func finish(_ exchange: ClientExchange, hasMore: Bool) {
        self.exchange = nil
        if keepsAlive, exchange.isComplete, backlog == 0, !isOutputBroken, !hasMore {
            client.isFree(self)
            update()
        } else {
            client.close(self)
        }
        client.end(exchange, .ended)
    }

    private func inputEnded(_ error: Int32, at now: Int64) {
        guard let exchange else { return client.close(self) }
        do throws(ResponseProblem) {
            guard error == 0, let reader else {
                throw ResponseProblem(
                    kind: .broken, text: "the connection broke: \(HTTPTarget.problem(error))")
            }
            try reader.checkEnd()
            self.exchange = nil
            client.close(self)
            client.end(exchange, .ended)
        } catch { fail(exchange, error, at: now) }
    }

    private func fail(_ exchange: ClientExchange, _ problem: ResponseProblem, at now: Int64) {
        self.exchange = nil
        client.close(self, isReset: true)
        // The server may have closed the connection before it saw the request.
        if problem.kind == .broken, isUsed, !hasHeard, exchange.request.isRepeatable,
            !exchange.wasSentAgain
        {
            return client.sendAgain(exchange, at: now)
        }
        client.end(exchange, .failed(problem))
    }

    /// Ends what takes too long.
    func checkTime(at now: Int64) {
        let (still, limits) = (now - progress, client.limits)
        if let exchange, now - begun > limits.totalNanoseconds {
            let text = "the server's response took more than \((now - begun) / 1_000_000_000) s"
            return fail(exchange, ResponseProblem(kind: .timedOut, text: text), at: now)
        }
        guard let exchange else {
            return now >= freeUntil ? client.close(self) : ()
        }
        if stage != .open {
            return still > limits.connectNanoseconds
                ? hasNotConnected(exchange, "it does not respond", at: now) : ()
        }
        guard !exchange.isPaused, backlog > 0 || exchange.isComplete else { return }
        let hasBegun = backlog > 0 || reader?.hasHead == true
        guard still > (hasBegun ? limits.idleNanoseconds : limits.responseNanoseconds) else {
            return
        }
        let what =
            backlog > 0
            ? "took nothing more of the request"
            : hasBegun
                ? "sent nothing more of the response" : "did not respond"
        let text = "the server \(what) for \(still / 1_000_000_000) s"
        fail(exchange, ResponseProblem(kind: .timedOut, text: text), at: now)
    }
}

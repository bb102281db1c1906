import SquallBackend
import SquallHTTP
import SquallSockets

/// Passes requests on to a real server, and its responses back, in pieces where they are large.
///
/// A request goes the way of every live request up to ``UpstreamService``, which hands it out here.
/// Small bodies go through the backend whole, so that faults and the judge see them; of larger ones
/// only the head does, and the body follows from socket to socket, as fast as its taker takes it.
final class UpstreamProxy {
    private let server: SocketClient
    private let target: HTTPTarget
    private let headers: UpstreamHeaders
    private let sockets: SocketServer
    private let clock: () -> Int64
    private var calls: [SocketServer.Client: ProxiedCall] = [:]
    /// The calls that wait to be handed out, by user and request.
    private var waiting: [ExchangeKey: ProxiedCall] = [:]
    private unowned var service: UpstreamService

    /// The bytes that may wait on either way.
    private static let backlogMax = 256 << 10

    init(
        _ plan: UpstreamPlan, _ service: UpstreamService, sockets: SocketServer,
        watch: SocketWatch, clock: @escaping () -> Int64
    ) throws(ResponseProblem) {
        (self.service, self.sockets, self.clock) = (service, sockets, clock)
        headers = UpstreamHeaders(plan: plan)
        var limits = ClientLimits()
        limits.responseNanoseconds = 300_000_000_000
        server = SocketClient(limits, watch: watch)
        target = try HTTPTarget(plan.address, trusting: plan.certificates)
        sockets.bodyCame = { [unowned self] in
            if let call = calls[$0] { passBody(of: call) }
        }
        sockets.wantsBody = { [unowned self] in
            if let call = calls[$0] { goOn(call) }
        }
        attach(service)
    }

    /// Serves a new world.
    func attach(_ service: UpstreamService) {
        self.service = service
        service.handOut = { [unowned self] in handOut($0, $1, $2) }
    }

    /// The reason for which the server cannot be reached now.
    func refusal(within nanoseconds: Int64) -> String? { target.refusal(within: nanoseconds) }

    /// Tells what has come from the server.
    func enter() { server.enter(at: clock()) }

    /// Notes a request that the backend took, and whose body follows.
    func took(_ incoming: IncomingRequest, from client: SocketServer.Client, as cause: RequestCause)
    {
        let call = ProxiedCall(incoming, of: client)
        call.cause = cause
        calls[client] = call
        waiting[ExchangeKey(cause)] = call
    }

    /// Gives up the request of a client that has gone.
    func left(_ client: SocketServer.Client) {
        if let call = calls[client] { drop(call) }
    }

    /// Gives everything up.
    func dropAll() {
        let inOrder = calls.values.sorted {
            ($0.cause.user, $0.cause.request) < ($1.cause.user, $1.cause.request)
        }
        for call in inOrder { drop(call) }
    }

    private func drop(_ call: ProxiedCall) {
        forget(call)
        call.exchange?.cancel()
        if let number = call.number {
            call.number = nil
            service.fail(number, status: 499, UpstreamService.clientHasGone)
        }
    }

    private func forget(_ call: ProxiedCall) {
        calls[call.client] = nil
        waiting[ExchangeKey(call.cause)] = nil
    }
}

extension UpstreamProxy {
    private func handOut(
        _ number: UInt64, _ request: URLRequest, _ scene: ServiceScene
    ) -> Bool {
        guard let call = waiting.removeValue(forKey: ExchangeKey(scene)) else { return false }
        call.number = number
        call.isAboutTokens = service.isAboutTokens(number)
        var outgoing = OutgoingRequest(request)
        outgoing.headers = headers.request(request.headers, isRead: call.isAboutTokens)
        let isWhole = call.incoming.isWhole
        if !isWhole { outgoing.upload = .pieces(length: call.incoming.length) }
        let exchange = server.begin(outgoing, to: target, at: clock()) {
            [weak self, weak call] event in
            guard let self, let call else { return }
            took(event, call)
        }
        call.exchange = exchange
        if !isWhole {
            exchange.send(request.body.bytes)
            passBody(of: call)
        }
        return true
    }

    /// Passes on what has come of a request's body, as far as the server takes it.
    private func passBody(of call: ProxiedCall) {
        guard let exchange = call.exchange, !call.hasEnded else { return }
        do throws(RequestProblem) {
            while exchange.backlog < Self.backlogMax {
                guard let piece = try sockets.takeBody(of: call.client) else { return }
                exchange.send(piece.bytes)
                if piece.isEnd { return exchange.finish() }
            }
        } catch {
            drop(call)
            sockets.breakOff(call.client)
        }
    }
}

extension UpstreamProxy {
    private func took(_ event: ResponseEvent, _ call: ProxiedCall) {
        switch event {
        case .interim: break
        case .wantsBody: passBody(of: call)
        case .head(let head):
            call.head = head
            if !call.collects(head) { answer(call, isWhole: false) }
        case .body(let piece): took(piece, call)
        case .ended:
            call.hasEnded = true
            if !call.isStreaming { return answer(call, isWhole: true) }
            if call.isResponding { end(call) }
        case .failed(let problem): failed(problem, call)
        }
    }

    private func took(_ piece: UnsafeRawBufferPointer, _ call: ProxiedCall) {
        if call.isResponding {
            sockets.append(piece, to: call.client)
            if sockets.backlog(of: call.client) > Self.backlogMax { pause(call) }
            return
        }
        call.collected += piece
        guard call.collected.count > UpstreamPlan.wholeBytes else { return }
        if call.isStreaming { pause(call) } else { answer(call, isWhole: false) }
    }

    private func pause(_ call: ProxiedCall) {
        call.isPaused = true
        call.exchange?.pause()
    }

    private func goOn(_ call: ProxiedCall) {
        guard call.isPaused, call.isResponding else { return }
        call.isPaused = false
        call.exchange?.resume()
    }

    /// Gives the backend the response: all of it, or its head alone.
    private func answer(_ call: ProxiedCall, isWhole: Bool) {
        guard let head = call.head, let number = call.number else { return }
        call.number = nil
        call.isStreaming = !isWhole
        let answer = Answer(
            status: head.status, headers: headers.response(head.headers, base: call.base),
            body: isWhole ? Body(call.collected) : .empty)
        service.answer(number, with: answer)
    }

    private func failed(_ problem: ResponseProblem, _ call: ProxiedCall) {
        call.hasEnded = true
        guard let number = call.number else {
            forget(call)
            if call.isStreaming { sockets.breakOff(call.client) }
            return
        }
        call.number = nil
        call.head = nil
        let status = problem.kind == .timedOut ? 504 : 502
        service.fail(number, status: status, "squall serve: \(problem.text)")
    }

    /// The response has come through the backend; `false` where the proxy has none of its own.
    func respond(
        _ response: TransportResponse, to client: SocketServer.Client, allowsCredentials: Bool
    ) -> Bool {
        guard let call = calls[client] else { return false }
        guard let head = call.head else {
            forget(call)
            return false
        }
        let isHead = call.request.method == .head
        let length = call.isStreaming || isHead ? head.length : response.body.count
        let isOpen = head.length == nil && !(isHead && length != nil)
        sockets.begin(
            ResponseStart(
                status: response.head.statusCode, reason: head.reason,
                headers: CrossOrigin.opened(
                    response.head.headers, to: call.request,
                    allowsCredentials: allowsCredentials),
                length: isOpen ? nil : length), to: client)
        call.isResponding = true
        let body = call.isStreaming ? call.collected : response.body.bytes
        body.withUnsafeBytes { sockets.append($0, to: client) }
        call.collected = []
        if call.hasEnded { end(call) } else { goOn(call) }
        return true
    }

    private func end(_ call: ProxiedCall) {
        forget(call)
        sockets.endResponse(to: call.client)
    }
}

import SquallKernel

@testable import SquallBackend

// Kinds of faults as tests write them.

extension FaultKind where Self == LatencyFault {
    static func latency(factor: Double, added: Distribution) -> LatencyFault {
        LatencyFault(factor: factor, added: added)
    }
}

extension FaultKind where Self == ServerError {
    static func serverError(status: Int) -> ServerError { ServerError(status: status) }
}

extension FaultKind where Self == DropRequest {
    static func dropRequest(_ notice: LossNotice) -> DropRequest { DropRequest(notice: notice) }
}

extension FaultKind where Self == DropAnswer {
    static func dropAnswer(_ notice: LossNotice) -> DropAnswer { DropAnswer(notice: notice) }
}

extension FaultKind where Self == ExpireAllTokens {
    static var expireAllTokens: ExpireAllTokens { ExpireAllTokens() }
}

extension FaultKind where Self == RevokeRefreshTokens {
    static var revokeRefreshTokens: RevokeRefreshTokens { RevokeRefreshTokens() }
}

extension FaultKind where Self == TokenOutage {
    static var tokenOutage: TokenOutage { TokenOutage() }
}

extension FaultKind where Self == RefuseConnection {
    static var refuseConnection: RefuseConnection { RefuseConnection() }
}

extension FaultKind where Self == DuplicateRequest {
    static var duplicate: DuplicateRequest { DuplicateRequest() }
}

extension FaultKind where Self == PartialBody {
    static var partialBody: PartialBody { PartialBody() }
}

extension FaultKind where Self == CorruptBody {
    static var corruptBody: CorruptBody { CorruptBody() }
}

extension FaultKind where Self == CapacityLoss {
    static func capacity(workers: Int) -> CapacityLoss { CapacityLoss(workers: workers) }
}

extension FaultKind where Self == ClockSkew {
    static func clockSkew(nanoseconds: Int64) -> ClockSkew { ClockSkew(nanoseconds: nanoseconds) }
}

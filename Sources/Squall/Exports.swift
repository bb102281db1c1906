// A test that imports this module gets everything that describes its world, name by name: an app
// has an `Endpoint`, a `Route` and a `Session` of its own, and Foundation a `URLRequest`.

@_exported public import enum SquallBackend.AnswerMeaning
@_exported public import struct SquallBackend.ConnectionPlan
@_exported public import enum SquallBackend.Handover
@_exported public import enum SquallBackend.LossNotice
@_exported public import struct SquallBackend.NetworkPlan
@_exported public import enum SquallBackend.RefreshSemantics
@_exported public import struct SquallBackend.ServerPlan
@_exported public import struct SquallBackend.TokenPolicy
@_exported public import struct SquallKernel.Distribution
@_exported public import struct SquallKernel.FirstInFirstOut
@_exported public import struct SquallKernel.Instant
@_exported public import struct SquallKernel.RandomSchedule
@_exported public import struct SquallKernel.ReplayedSchedule
@_exported public import protocol SquallKernel.SchedulingPolicy
@_exported public import enum SquallKernel.SimulationError
@_exported public import struct SquallHTTP.RequestCause
@_exported public import struct SquallRaces.Drill
@_exported public import class SquallRaces.DrillAct
@_exported public import struct SquallRaces.DrillClient
@_exported public import struct SquallRaces.DrillPerson
@_exported public import struct SquallRaces.DrillReport
@_exported public import struct SquallRaces.DrillServer
@_exported public import struct SquallRaces.ServerConfiguration
@_exported public import struct SquallHTTP.CSRFGuard
@_exported public import class SquallRaces.DrillWorld
@_exported public import struct SquallServices.IssuedTokens
@_exported public import enum SquallServices.LogOutEffect
@_exported public import struct SquallServices.ServiceCall
@_exported public import struct SquallServices.ServiceMint
@_exported public import struct SquallServices.ServiceReply
@_exported public import struct SquallHTTP.TokenCall
@_exported public import struct SquallHTTP.TokenClaims
@_exported public import struct SquallHTTP.TokenDelivery
@_exported public import struct SquallHTTP.TokenForm
@_exported public import struct SquallServices.TokenGrant
@_exported public import enum SquallHTTP.TokenPlace
@_exported public import struct SquallHTTP.TokenRefusal
@_exported public import struct SquallServices.TokenRoute
@_exported public import struct SquallServices.TokenService

// A test that makes a session imports Foundation, which is enough on a Mac.
#if canImport(FoundationNetworking)
    @_exported public import class FoundationNetworking.URLSession
    @_exported public import class FoundationNetworking.URLSessionConfiguration
#endif

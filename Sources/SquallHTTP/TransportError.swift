/// No response came; `code` says why, in the numbers of Foundation's `URLError`.
public struct TransportError: Error, Hashable, Sendable {
    /// Why no response came, with the raw values of `URLError.Code`.
    public enum Code: Int, Sendable, CaseIterable {
        /// Foundation's `backgroundSessionInUseByAnotherProcess`.
        case backgroundSessionInUseByAnotherProcess = -996
        /// Foundation's `backgroundSessionWasDisconnected`.
        case backgroundSessionWasDisconnected = -997
        /// Foundation's `cancelled`.
        case cancelled = -999
        /// Foundation's `timedOut`.
        case timedOut = -1001
        /// Foundation's `cannotFindHost`.
        case cannotFindHost = -1003
        /// Foundation's `cannotConnectToHost`.
        case cannotConnectToHost = -1004
        /// Foundation's `networkConnectionLost`.
        case networkConnectionLost = -1005
        /// Foundation's `dnsLookupFailed`.
        case dnsLookupFailed = -1006
        /// Foundation's `httpTooManyRedirects`.
        case httpTooManyRedirects = -1007
        /// Foundation's `notConnectedToInternet`.
        case notConnectedToInternet = -1009
        /// Foundation's `badServerResponse`.
        case badServerResponse = -1011
        /// Foundation's `cannotParseResponse`.
        case cannotParseResponse = -1017
        /// Foundation's `internationalRoamingOff`.
        case internationalRoamingOff = -1018
        /// Foundation's `callIsActive`.
        case callIsActive = -1019
        /// Foundation's `dataNotAllowed`.
        case dataNotAllowed = -1020
        /// Foundation's `secureConnectionFailed`.
        case secureConnectionFailed = -1200
        /// Foundation's `serverCertificateHasBadDate`.
        case serverCertificateHasBadDate = -1201
        /// Foundation's `serverCertificateNotYetValid`.
        case serverCertificateNotYetValid = -1204
        /// Foundation's `cannotLoadFromNetwork`.
        case cannotLoadFromNetwork = -2000
        /// Foundation's `downloadDecodingFailedMidStream`.
        case downloadDecodingFailedMidStream = -3006
        /// Foundation's `downloadDecodingFailedToComplete`.
        case downloadDecodingFailedToComplete = -3007
    }

    /// Why no response came.
    public let code: Code

    /// An error of the given kind.
    public init(_ code: Code) { self.code = code }

    /// A short name without dynamic parts, for grouping: `transport.timedOut`.
    public var label: String { "transport.\(code)" }
}

extension TransportError: CustomStringConvertible {
    /// The kind and Foundation's number for it.
    public var description: String { "\(code) (\(code.rawValue))" }
}

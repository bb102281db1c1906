import Foundation
import Testing

@testable import SquallHTTP

@Suite("Bodies of parts")
struct BodyPartsTests {
    @Test("A body with a file in it keeps the file and counts its bytes without making them")
    func parts() {
        let file = Blob(magic: [37, 80], seed: 7, count: 1_000_000)
        let body = Body(parts: [Body("head"), Body(file), Body("tail")])
        #expect(body.count == 1_000_008)
        #expect(body.chunks == nil)
        guard case .parts(let parts) = body.storage else { return #expect(Bool(false)) }
        #expect(parts.map(\.count) == [4, 1_000_000, 4])
        #expect(body == Body(parts: parts))
    }

    @Test("The bytes of parts are those of the parts in order")
    func bytes() {
        let file = Blob(magic: [1], seed: 7, count: 9)
        let body = Body(parts: [Body("a"), Body(file), Body("b")])
        #expect(body.bytes == [97] + file.bytes + [98])
        #expect(body == Body(body.bytes))
    }
}

@Suite("Transport errors")
struct TransportErrorTests {
    @Test(
        "Each error of the transport has the number of Foundation's",
        arguments: TransportError.Code.allCases)
    func codes(code: TransportError.Code) throws {
        let number = try #require(URLError.Code(rawValue: code.rawValue))
        #expect(Self.foundation[number] == code)
        #expect(TransportError(code).label == "transport.\(code)")
    }

    private static let foundation: [URLError.Code: TransportError.Code] = [
        .backgroundSessionInUseByAnotherProcess: .backgroundSessionInUseByAnotherProcess,
        .backgroundSessionWasDisconnected: .backgroundSessionWasDisconnected,
        .cancelled: .cancelled, .timedOut: .timedOut, .cannotFindHost: .cannotFindHost,
        .cannotConnectToHost: .cannotConnectToHost, .dnsLookupFailed: .dnsLookupFailed,
        .networkConnectionLost: .networkConnectionLost,
        .httpTooManyRedirects: .httpTooManyRedirects,
        .notConnectedToInternet: .notConnectedToInternet, .badServerResponse: .badServerResponse,
        .cannotParseResponse: .cannotParseResponse, .callIsActive: .callIsActive,
        .internationalRoamingOff: .internationalRoamingOff, .dataNotAllowed: .dataNotAllowed,
        .secureConnectionFailed: .secureConnectionFailed,
        .serverCertificateHasBadDate: .serverCertificateHasBadDate,
        .serverCertificateNotYetValid: .serverCertificateNotYetValid,
        .cannotLoadFromNetwork: .cannotLoadFromNetwork,
        .downloadDecodingFailedMidStream: .downloadDecodingFailedMidStream,
        .downloadDecodingFailedToComplete: .downloadDecodingFailedToComplete,
    ]
}

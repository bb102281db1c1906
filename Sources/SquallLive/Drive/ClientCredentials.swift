import Foundation
import SquallFormat
import SquallHTTP
import SquallSockets

/// OAuth 2.0's client with its secret, as RFC 6749 (2.3.1) sends it: with each sign-in, refresh
/// and sign-out.
///
/// The simulated app never sees it: it is added to a request on its way out, so no result, trace
/// or log can hold it.
public struct ClientCredentials: Sendable {
    let name, secret: String
    let place: Place

    /// Where a client shows its name and secret.
    public enum Place: String, Sendable, CaseIterable {
        case basic, body
    }

    /// A client that shows its secret at a place.
    public init(name: String, secret: String, at place: Place) {
        (self.name, self.secret, self.place) = (name, secret, place)
    }

    /// The header field's value for `basic`.
    private var basic: String {
        let pair = [name, secret].map(\.percentEncodedWhole).joined(separator: ":")
        return "Basic \(Data(pair.utf8).base64EncodedString())"
    }

    /// Every form in which a server could send the secret back.
    var forms: [String] {
        [basic.replacing("Basic ", with: ""), secret, secret.percentEncodedWhole]
    }

    /// The advice for a service that refuses this place; `nil` where all services read it alike.
    var wayOut: String? {
        guard place == .basic, name + secret != (name + secret).percentEncodedWhole else {
            return nil
        }
        return "the client's name and secret were percent-encoded, as RFC 6749 (2.3.1) has it, and"
            + " some services do not decode them: try --client-auth body"
    }

    func authenticate(_ request: inout OutgoingRequest) {
        guard place == .body, case .whole(let body) = request.upload else {
            return request.headers.update(name: "Authorization", value: basic)
        }
        let text = String(decoding: body.bytes, as: UTF8.self)
        let fields = [("client_id", name), ("client_secret", secret)]
        if text.hasPrefix("{"), text.hasSuffix("}") {
            let members = fields.map {
                "\(JSON.string($0.0).line):\(JSON.string($0.1).line)"
            }.joined(separator: ",")
            let own = text.dropLast()
            request.upload = .whole(Body("\(own)\(own.count > 1 ? "," : "")\(members)}"))
            return
        }
        request.headers.update(name: "Content-Type", value: "application/x-www-form-urlencoded")
        let pairs = fields.map { "\($0.0)=\($0.1.percentEncodedWhole)" }
        let all = (text.isEmpty ? [] : [text]) + pairs
        request.upload = .whole(Body(all.joined(separator: "&")))
    }
}

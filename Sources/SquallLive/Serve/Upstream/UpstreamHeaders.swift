import SquallHTTP
import SquallSockets

/// The header fields of a proxied exchange: what ends at the proxy, and what names the server.
struct UpstreamHeaders {
    let plan: UpstreamPlan

    /// Fields that are about one connection (RFC 9110 §7.6.1), or answered by the proxy itself.
    private static let hops: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate",
        "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "expect",
        "content-length",
    ]

    /// The fields of a request as the server gets them; `isRead` where the response will be looked
    /// into, which compression would prevent.
    func request(_ headers: HTTPHeaders, isRead: Bool) -> HTTPHeaders {
        var sent = HTTPHeaders()
        for field in Self.endToEnd(headers) {
            switch field.name.asciiLowercased {
            case "host": sent.append(name: field.name, value: plan.address.authority)
            case "x-squall-user": continue
            case "accept-encoding" where isRead: continue
            default: sent.append(field)
            }
        }
        return sent
    }

    /// The fields of a response as the client gets them, with the proxy's own base address.
    func response(_ headers: HTTPHeaders, base: String) -> HTTPHeaders {
        var sent = HTTPHeaders()
        for field in Self.endToEnd(headers) {
            switch field.name.asciiLowercased {
            case "location", "content-location":
                sent.append(name: field.name, value: address(field.value, base: base))
            case "set-cookie":
                sent.append(name: field.name, value: cookie(field.value))
            // It would send the client past the proxy.
            case "alt-svc": continue
            default: sent.append(field)
            }
        }
        return sent
    }

    private static func endToEnd(_ headers: HTTPHeaders) -> [HTTPHeader] {
        let named = headers.values(for: "Connection").flatMap { value in
            value.asciiLowercased.split { $0 == "," || $0 == " " }.map(String.init)
        }
        return headers.filter { field in
            // The longest of them has 19 letters.
            guard field.name.utf8.count < 20 || !named.isEmpty else { return true }
            let name = field.name.asciiLowercased
            return !hops.contains(name) && !named.contains(name)
        }
    }

    /// An absolute address on the server as one of the proxy's; any other one as it is.
    func address(_ value: String, base: String) -> String {
        let schemes = value.hasPrefix("//") ? "//" : plan.address.isSecure ? "https://" : "http://"
        guard value.asciiLowercased.hasPrefix(schemes) else { return value }
        let rest = value.dropFirst(schemes.count)
        let authority = rest.prefix { !"/?#".contains($0) }.asciiLowercased
        let own = plan.address.authority.asciiLowercased
        let usual = own + (plan.address.isSecure ? ":443" : ":80")
        guard authority == own || authority == usual else { return value }
        return base + rest.dropFirst(authority.count)
    }

    /// A cookie that the client keeps for the proxy, where it would only be for the server.
    private func cookie(_ value: String) -> String {
        var parts = value.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        // Clients take cookies of such names only as they are.
        let isSealed = ["__host-", "__secure-"].contains { value.asciiLowercased.hasPrefix($0) }
        parts = parts.enumerated().filter { index, part in
            let attribute = part.asciiLowercased.filter { $0 != " " }
            guard index > 0 else { return true }
            if attribute.hasPrefix("domain=") { return false }
            guard plan.address.isSecure, !isSealed else { return true }
            return attribute != "secure" && attribute != "samesite=none"
        }.map(\.element)
        return parts.joined(separator: ";")
    }
}

import Foundation
import SquallFormat
import SquallHTTP

/// Who may use a live server.
///
/// Any page in a browser of this machine can send it requests: in its own name, or, where its name
/// is made to lead here (DNS rebinding), as if it were a page of this server. So every request must
/// call this machine by an address or by a name that no stranger can have. Invented data may be
/// read by any page; a real server behind this one only by pages of this machine, or of an origin
/// that was allowed. The control API is for pages of this server alone.
public struct WhoMayAsk: Sendable {
    /// Origins that may ask besides those of this machine, such as `https://app.example.com`.
    public var origins: Set<String> = []
    /// The names of this machine, in lower case.
    public var names: Set<String> = Self.ownNames
    /// True where a real server is behind this one.
    public var isReal = false

    /// Every page of invented data, no page of another machine of a real server.
    public init() {}

    /// The name of this machine, and what its network calls it.
    private static var ownNames: Set<String> {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return [] }
        let end = bytes.firstIndex(of: 0) ?? bytes.count
        let name = String(decoding: bytes[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .asciiLowercased
        return [name, name.prefix { $0 != "." } + ".local"]
    }

    /// Reads an origin as `--allow-origin` names it; `nil` where it is none.
    public static func origin(_ text: String) -> String? {
        if text == "null" { return text }
        guard let (scheme, authority) = parts(ofOrigin: text), HostName(authority) != nil else {
            return nil
        }
        return "\(scheme.asciiLowercased)://\(authority.asciiLowercased)"
    }

    private static func parts(
        ofOrigin text: String
    ) -> (scheme: Substring, authority: Substring)? {
        guard let colon = text.firstRange(of: "://"), colon.lowerBound > text.startIndex else {
            return nil
        }
        let authority = text[colon.upperBound...]
        let isScheme = text[..<colon.lowerBound].utf8.allSatisfy { byte in
            (byte | 32) &- 97 < 26 || (43...57).contains(byte) && byte != 44 && byte != 47
        }
        return isScheme && !authority.isEmpty ? (text[..<colon.lowerBound], authority) : nil
    }

    /// The reason for which a request is refused; `nil` for one that is not.
    func refusal(of request: URLRequest, isControl: Bool) -> String? {
        let field = request.value(forHTTPHeaderField: "Host") ?? ""
        guard isOwn(field) else {
            let host = field.keptFromOutside()
            return "a request called this server '\(host)', which is no address, localhost or name"
                + " of this machine; --allow-origin http://\(host) allows that name"
        }
        let origin = request.value(forHTTPHeaderField: "Origin")
        let isForeign = request.value(forHTTPHeaderField: "Sec-Fetch-Site") == "cross-site"
        if isControl {
            let isOwnPage = origin.map { $0 == "http://" + field } ?? !isForeign
            return isOwnPage ? nil : "a page of another origin may not control the server"
        }
        guard isReal else { return nil }
        if let origin { return isTrusted(origin, host: field) ? nil : Self.refusal(of: origin) }
        // Who follows a link shows its page nothing; an image or a script shows its page something.
        guard isForeign, request.value(forHTTPHeaderField: "Sec-Fetch-Mode") != "navigate" else {
            return nil
        }
        let page = request.value(forHTTPHeaderField: "Referer").map(Self.origin(ofPage:)) ?? ""
        return isTrusted(page, host: field) ? nil : Self.refusal(of: page)
    }

    private static func refusal(of origin: String) -> String {
        let name = origin.isEmpty ? "another site" : origin.keptFromOutside()
        return "a page of \(name) may not use the real server behind this one; --allow-origin"
            + " \(origin.isEmpty ? "ORIGIN" : name) allows it"
    }

    private static func origin(ofPage address: String) -> String {
        guard let colon = address.firstRange(of: "://") else { return "" }
        return String(address[..<colon.upperBound])
            + address[colon.upperBound...].prefix { $0 != "/" }
    }

    /// True if pages of an origin may have what is for users of this machine alone, as cookies are.
    ///
    /// `host` is what the request calls this server.
    func isTrusted(_ origin: String, host: String) -> Bool {
        if origins.contains(origin.asciiLowercased) { return true }
        guard let (_, authority) = Self.parts(ofOrigin: origin), let page = HostName(authority)
        else { return false }
        return page.isLoopback || page.name == HostName(host)?.name
    }

    /// True for a name of this server that no stranger can have made lead here.
    private func isOwn(_ field: String) -> Bool {
        // No browser leaves it out.
        guard !field.isEmpty else { return true }
        guard let host = HostName(field) else { return false }
        if host.isAddress || host.isOfNoDNS || names.contains(host.name) { return true }
        return origins.contains { origin in
            Self.parts(ofOrigin: origin).flatMap { HostName($0.authority) }?.name == host.name
        }
    }
}

extension LiveServer {
    /// The response to a request that may not ask, which is counted; the first for a reason is told
    /// of.
    func refusal(of request: URLRequest, isControl: Bool) -> ControlAnswer? {
        // Of a simulated backend nothing but the host is asked, which mostly is the last one.
        let host =
            isControl || setup.asking.isReal ? nil : request.value(forHTTPHeaderField: "Host")
        if let host, host == acceptedHost { return nil }
        guard let reason = setup.asking.refusal(of: request, isControl: isControl) else {
            acceptedHost = host ?? acceptedHost
            return nil
        }
        world.tally.refused += 1
        if refusals.count < Self.refusalsMax, refusals.insert(reason).inserted { refused(reason) }
        return .problem(reason, status: 403)
    }

    private static let refusalsMax = 8
}

/// A host as a `Host` field or an origin has it: an address, or a name in ASCII.
struct HostName: Equatable {
    /// Without a port, in lower case; an address of IPv6 in brackets.
    let name: String
    let isAddress: Bool

    /// Reads it, with or without a port; `nil` where it is neither an address nor a name.
    init?(_ field: some StringProtocol) {
        let bytes = Array(field.utf8)
        let end =
            bytes.first == UInt8(ascii: "[")
            ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
            : bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
        guard let end, (1...253).contains(end) else { return nil }
        let port = bytes[end...]
        guard port.isEmpty || port.first == UInt8(ascii: ":") && port.count < 7,
            port.dropFirst().allSatisfy({ $0 &- 48 < 10 })
        else { return nil }
        name = String(decoding: bytes[..<end], as: UTF8.self).asciiLowercased
        if bytes[0] == UInt8(ascii: "[") {
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(name.dropFirst().dropLast()), &address) == 1 else {
                return nil
            }
            isAddress = true
            return
        }
        guard
            bytes[..<end].allSatisfy({ byte in
                (byte | 32) &- 97 < 26 || byte &- 48 < 10 || "-._".utf8.contains(byte)
            })
        else { return nil }
        var address = in_addr()
        isAddress = inet_pton(AF_INET, name, &address) == 1
        // Other ways to write an address in numbers are none that a browser sends.
        let last = name.split(separator: ".", omittingEmptySubsequences: true).last ?? ""
        guard isAddress || !last.isEmpty && !last.allSatisfy(\.isNumber) else { return nil }
    }

    var isLoopback: Bool {
        isAddress
            ? name.hasPrefix("127.") || name == "[::1]"
            : name == "localhost" || name.hasSuffix(".localhost")
    }

    /// True for a name that no server of the public DNS has: one of one part, or one that RFC 6761
    /// or ICANN keeps out of it.
    var isOfNoDNS: Bool {
        !name.contains(".")
            || ["localhost", "internal"].contains { name.hasSuffix("." + $0) }
    }
}

import CSockets

/// Where a client's requests go: a host whose name was resolved once, and a port.
public final class HTTPTarget {
    /// The host and the port as a `Host` field has them; without the port where that is 80.
    public let authority: String
    private let addresses: [squall_address]
    /// The address that was reached last.
    private var first = 0

    private static let addressesMax = 16

    /// Resolves a name, or takes a numeric address, an IPv6 one with or without its brackets;
    /// waits for the system's answer.
    ///
    /// - Throws: ``ResponseProblem`` where no address is found.
    public init(host: String, port: UInt16) throws(ResponseProblem) {
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let shown = name.contains(":") ? "[\(name)]" : name
        authority = port == 80 ? shown : "\(shown):\(port)"
        let room = [squall_address](repeating: squall_address(), count: Self.addressesMax)
        var addresses = room
        let count = squall_resolve(name, port, &addresses, Int32(addresses.count))
        guard count > 0 else {
            let reason = squall_resolve_problem(count).map { String(cString: $0) } ?? ""
            throw ResponseProblem(kind: .unreachable, text: "\(host) has no address: \(reason)")
        }
        self.addresses = Array(addresses.prefix(Int(count)))
    }

    /// How many addresses there are to try.
    var addressCount: Int { addresses.count }

    /// Begins to connect to the address that is to be tried after so many others; returns the
    /// socket or, negative, the system's number of the problem.
    func connect(attempt: Int) -> Int32 {
        var address = addresses[(first + attempt) % addresses.count]
        return squall_connect(&address)
    }

    /// The address that was tried after so many others was reached; it is the first from now on.
    func reached(attempt: Int) { first = (first + attempt) % addresses.count }

    /// What the system says of a problem.
    static func problem(_ number: Int32) -> String {
        squall_problem_text(number).map { String(cString: $0) } ?? "problem \(number)"
    }
}

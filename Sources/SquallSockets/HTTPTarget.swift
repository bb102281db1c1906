import CSockets

/// A host of a client's requests: an address that was resolved once, a port, and TLS or none.
public final class HTTPTarget {
    let address: ServerAddress
    /// The value of every `Host` field.
    let authority: String
    /// The certificates that may vouch for its own; `nil` for plain http.
    let trust: TLSTrust?
    private let addresses: [squall_address]
    /// The address that was reached last.
    private var first = 0

    private static let addressesMax = 16

    /// Resolves the address's host; waits for the system's answer.
    ///
    /// - Parameters:
    ///   - address: Where it is, and whether by TLS.
    ///   - certificates: A PEM file of certificates to trust instead of the system's.
    /// - Throws: ``ResponseProblem`` where no address is found, or https cannot be spoken.
    public init(
        _ address: ServerAddress, trusting certificates: String? = nil
    ) throws(ResponseProblem) {
        (self.address, authority) = (address, address.authority)
        trust = address.isSecure ? try TLSTrust(file: certificates) : nil
        let room = [squall_address](repeating: squall_address(), count: Self.addressesMax)
        var addresses = room
        let count = squall_resolve(
            address.host, address.port, &addresses, Int32(addresses.count))
        guard count > 0 else {
            let reason = squall_resolve_problem(count).map { String(cString: $0) } ?? ""
            throw ResponseProblem(
                kind: .unreachable, text: "\(address.host) has no address: \(reason)")
        }
        self.addresses = Array(addresses.prefix(Int(count)))
    }

    var addressCount: Int { addresses.count }

    /// Begins to connect to the address that is to be tried after so many others; returns the
    /// socket or, negative, the system's number of the problem.
    func connect(attempt: Int) -> Int32 {
        var address = addresses[(first + attempt) % addresses.count]
        return squall_connect(&address)
    }

    /// Notes that the address that was tried after so many others was reached; it is the first from
    /// now on.
    func reached(attempt: Int) { first = (first + attempt) % addresses.count }

    /// The problem of a request for which no connection can be made.
    func unreachable(_ kind: ResponseProblem.Kind, because reason: String) -> ResponseProblem {
        ResponseProblem(kind: kind, text: "\(authority) cannot be reached: \(reason)")
    }

    /// The reason for which no connection can be made now, by trying every address for up to so
    /// long in all; `nil` where one was made, which is closed again, or where the time was over
    /// first.
    public func refusal(within nanoseconds: Int64) -> String? {
        guard let watch = try? SocketWatch() else { return nil }
        let owner = watch.addOwner()
        var reason: String?
        for attempt in addresses.indices {
            let file = connect(attempt: attempt)
            guard file >= 0 else {
                reason = Self.problem(-file)
                continue
            }
            watch.add(file, for: squall_writable, of: owner)
            watch.wait(nanoseconds: nanoseconds / Int64(addresses.count))
            let result = squall_connected(file)
            watch.remove(file)
            squall_close(file, 0)
            guard result != 0, squall_in_progress(Int(result)) == 0 else { return nil }
            reason = Self.problem(-result)
        }
        return reason.map { unreachable(.unreachable, because: $0).text }
    }

    /// The system's words for a problem.
    static func problem(_ number: Int32) -> String {
        squall_problem_text(number).map { String(cString: $0) } ?? "problem \(number)"
    }
}

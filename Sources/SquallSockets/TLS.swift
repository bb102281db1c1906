import CSockets

/// The certificates that a client trusts.
final class TLSTrust {
    let context: OpaquePointer

    /// Trusts the certificates of a PEM file, or those that the system trusts.
    ///
    /// - Throws: ``ResponseProblem`` where TLS cannot be had, or the file has no certificate.
    init(file: String?) throws(ResponseProblem) {
        var problem: UnsafePointer<CChar>?
        guard let context = squall_tls_context_create(file, &problem) else {
            let reason = problem.map { String(cString: $0) } ?? "out of memory"
            throw ResponseProblem(
                kind: .unreachable, text: (file.map { "\($0): " } ?? "no https: ") + reason)
        }
        self.context = context
    }

    deinit { squall_tls_context_free(context) }
}

/// The library of the system that speaks TLS.
public enum TLSLibrary {
    /// Its name and version, such as `OpenSSL 3.0.13 30 Jan 2024`; `nil` where there is none, or
    /// where none is loaded yet and none may be.
    public static func version(mayLoad: Bool) -> String? {
        squall_tls_version(mayLoad ? 1 : 0).map { String(cString: $0) }
    }
}

/// The way of a connection's bytes: its socket, or TLS on it.
struct ByteChannel {
    let file: Int32
    private var tls: OpaquePointer?
    private var isSecured = false

    init(_ file: Int32) { self.file = file }

    /// The state of a handshake.
    enum Handshake {
        case done
        /// It goes on when the socket is ready for this.
        case waits(for: Int)
        case failed(ResponseProblem.Kind, String)
    }

    /// True where one read can bring less than has come: TLS hands over a record at a time.
    var isInPieces: Bool { tls != nil }

    /// Begins TLS, with a host of that name.
    mutating func secure(_ trust: TLSTrust, host: String) {
        isSecured = true
        tls = squall_tls_create(trust.context, file, host)
    }

    /// Goes on with the handshake.
    func shake() -> Handshake {
        guard let tls else {
            return isSecured ? .failed(.unreachable, "no memory for TLS") : .done
        }
        let result = squall_tls_connect(tls)
        guard result < 0 else { return result == 0 ? .done : .waits(for: Int(result)) }
        let reason = squall_tls_problem(tls).map { String(cString: $0) } ?? ""
        return squall_tls_untrusted(result) != 0
            ? .failed(.untrusted, "its certificate is not trusted: \(reason)")
            : .failed(
                .unreachable,
                "TLS failed: \(reason)"
                    // What OpenSSL makes of a response in plain text.
                    + (reason.contains("wrong version number") ? " (is it http, not https?)" : ""))
    }

    /// Reads as `squall_receive` does, through TLS where there is one.
    func receive(_ buffer: UnsafeMutableRawPointer?, _ size: Int) -> Int {
        guard let tls else { return squall_receive(file, buffer, UInt(size)) }
        return squall_tls_receive(tls, buffer, UInt(size))
    }

    /// Sends as `squall_send` does, through TLS where there is one.
    func send(_ bytes: UnsafeRawPointer?, _ size: Int) -> Int {
        guard let tls else { return squall_send(file, bytes, UInt(size)) }
        return squall_tls_send(tls, bytes, UInt(size))
    }

    mutating func close(isReset: Bool) {
        if let tls { squall_tls_free(tls) }
        tls = nil
        squall_close(file, isReset ? 1 : 0)
    }
}

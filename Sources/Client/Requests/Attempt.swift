public import HTTP

/// What one send of a request came to.
@usableFromInline
struct Attempt: Sendable {
    @usableFromInline var request: URLRequest?
    @usableFromInline var response: HTTPURLResponse?
    @usableFromInline var body: Body?
    @usableFromInline var error: AFError?

    /// An attempt that has not got anywhere yet.
    init() {}

    /// An attempt that never got to the transport.
    init(error: AFError) { self.error = error }
}

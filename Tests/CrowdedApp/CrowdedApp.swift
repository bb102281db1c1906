// An app whose module has the names that networking layers like: a test that imports it beside
// Squall must be able to say each of them alone.

/// A call of the API.
public struct Endpoint: Sendable {
    /// Where it is.
    public let path: String

    /// A call by its path.
    public init(path: String) { self.path = path }
}

/// Finds calls.
public struct Router: Sendable {
    /// An empty one.
    public init() {}
}

/// A way to a call.
public struct Route: Sendable {
    /// The call.
    public let endpoint: Endpoint

    /// A way to a call.
    public init(to endpoint: Endpoint) { self.endpoint = endpoint }
}

/// What came back.
public struct Answer: Sendable {
    /// An empty one.
    public init() {}
}

/// What went wrong.
public struct Fault: Error {
    /// Anything.
    public init() {}
}

/// Something that answers.
public protocol Service: Sendable {}

/// A session.
public final class Session: Service {
    /// A new one.
    public init() {}
}

/// What is asked.
public struct Request: Sendable {
    /// Nothing.
    public init() {}
}

/// Who calls.
public struct Caller: Sendable {
    /// Nobody.
    public init() {}
}

/// What is sent.
public struct Body: Sendable {
    /// Nothing.
    public init() {}
}

/// How it is sent.
public enum HTTPMethod: String, Sendable {
    /// Reads.
    case get = "GET"
    /// Writes.
    case post = "POST"
}

/// A page of a list.
public struct Page: Sendable {
    /// An empty one.
    public init() {}
}

/// Something that was found out.
public struct Finding: Sendable {
    /// Nothing.
    public init() {}
}

/// Somebody who uses the app.
public struct Accounts: Sendable {
    /// None.
    public init() {}
}

public import SquallHTTP

// Members that code written for Alamofire and Foundation uses by these names.

extension URLRequest {
    /// The body; `nil` when it is empty.
    public var httpBody: Body? {
        get { body.isEmpty ? nil : body }
        set { body = newValue ?? .empty }
    }

    /// The header fields without their order; setting them sorts them by name.
    public var allHTTPHeaderFields: [String: String]? {
        get { headers.dictionary }
        set {
            let fields = (newValue ?? [:]).sorted { $0.key < $1.key }
            headers = HTTPHeaders(fields.map { HTTPHeader(name: $0.key, value: $0.value) })
        }
    }

    /// The verb's name.
    public var httpMethod: String? {
        get { method.rawValue }
        set { method = newValue.map { HTTPMethod(rawValue: $0) } ?? .get }
    }
}

extension Request {
    /// Stands for the last `URLSessionTask`; it has only its answer.
    public struct SessionTask: Sendable {
        /// The head of its answer.
        public let response: HTTPURLResponse?
    }

    /// The last send; `nil` as long as nothing was answered.
    public var task: SessionTask? { response.map { SessionTask(response: $0) } }
}

extension ParameterEncoder where Self == URLEncodedFormParameterEncoder {
    /// A form with Alamofire's defaults.
    public static var `default`: URLEncodedFormParameterEncoder { urlEncodedForm }
}

extension JSONParameterEncoder {
    /// JSON with sorted keys.
    public static var `default`: JSONParameterEncoder { JSONParameterEncoder() }
    /// JSON with sorted keys, on lines of its own.
    public static var prettyPrinted: JSONParameterEncoder { JSONParameterEncoder(isPretty: true) }
}

extension Redirector {
    /// What happens to an answer that is a redirection.
    public enum Behavior: Sendable {
        /// Follows it.
        case follow
        /// Keeps it as the answer.
        case doNotFollow
        /// Follows a closure's decision; the closure gets the target's request, and the answer.
        case modify(@Sendable (URLRequest, HTTPURLResponse) -> URLRequest?)
    }

    /// A redirector with a behaviour; its closure gets no `URLSessionTask`.
    public init(behavior: Behavior) {
        switch behavior {
        case .follow: self = .follow
        case .doNotFollow: self = .doNotFollow
        case .modify(let change):
            self.init { target, _, response in change(target, response) }
        }
    }

    /// Follows a closure's decision.
    public static func modify(
        using change: @escaping @Sendable (URLRequest, HTTPURLResponse) -> URLRequest?
    ) -> Redirector {
        Redirector(behavior: .modify(change))
    }
}

extension AuthenticationInterceptor {
    /// How many refreshes are too many.
    public typealias RefreshWindow = SquallClient.RefreshWindow
}

public import SquallHTTP

extension Session {
    /// A request from its parts, with a value encoded into it.
    ///
    /// The modifier changes the built request, for every attempt anew.
    public func request<Parameters: Encodable & Sendable>(
        _ url: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters?,
        encoder: any ParameterEncoder = .urlEncodedForm, headers: HTTPHeaders = [],
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier modify: (@Sendable (inout URLRequest) throws -> Void)? = nil
    ) -> DataRequest {
        let parts = ClosureRequest(url, method, headers, modify) { request in
            try encoder.encode(parameters, into: request)
        }
        return request(parts, interceptor: interceptor)
    }

    /// A request from its parts.
    ///
    /// The modifier changes the built request, for every attempt anew.
    public func request(
        _ url: any URLConvertible, method: HTTPMethod = .get, headers: HTTPHeaders = [],
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier modify: (@Sendable (inout URLRequest) throws -> Void)? = nil
    ) -> DataRequest {
        request(ClosureRequest(url, method, headers, modify), interceptor: interceptor)
    }
}

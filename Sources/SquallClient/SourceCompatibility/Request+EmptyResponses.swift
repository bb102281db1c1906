public import SquallHTTP

extension BodyRules {
    /// Rules from Alamofire's arguments.
    public init(
        emptyResponseCodes: Set<Int>, emptyRequestMethods: Set<HTTPMethod> = [.head],
        dataPreprocessor: DataPreprocessor = .passthrough
    ) {
        self.init()
        self.emptyResponseCodes = emptyResponseCodes.sorted()
        self.emptyRequestMethods = emptyRequestMethods.sorted { $0.rawValue < $1.rawValue }
        preprocessor = dataPreprocessor
    }
}

/// The forms that say which statuses may come without a body.
extension Request {
    /// The answer's body decoded as a value.
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: (any DataDecoder)? = nil,
        emptyResponseCodes: Set<Int>
    ) -> DataTask<Value> {
        serializingDecodable(
            type, decoder: decoder, rules: BodyRules(emptyResponseCodes: emptyResponseCodes))
    }

    /// The answer's body as it is.
    public func serializingData(emptyResponseCodes: Set<Int>) -> DataTask<Body> {
        serializingData(rules: BodyRules(emptyResponseCodes: emptyResponseCodes))
    }

    /// The answer's body as text.
    public func serializingString(
        encoding: TextEncoding? = nil, emptyResponseCodes: Set<Int>
    ) -> DataTask<String> {
        serializingString(
            encoding: encoding, rules: BodyRules(emptyResponseCodes: emptyResponseCodes))
    }

    /// Hands the decoded answer to a completion.
    @discardableResult
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, decoder: (any DataDecoder)? = nil,
        emptyResponseCodes: Set<Int>,
        completionHandler: @escaping @Sendable (DataResponse<Value>) -> Void
    ) -> Self {
        responseDecodable(
            of: type, decoder: decoder, rules: BodyRules(emptyResponseCodes: emptyResponseCodes),
            completionHandler: completionHandler)
    }

    /// Hands the answer's body to a completion.
    @discardableResult
    public func responseData(
        emptyResponseCodes: Set<Int>,
        completionHandler: @escaping @Sendable (DataResponse<Body>) -> Void
    ) -> Self {
        responseData(
            rules: BodyRules(emptyResponseCodes: emptyResponseCodes),
            completionHandler: completionHandler)
    }

    /// Hands the answer's body as text to a completion.
    @discardableResult
    public func responseString(
        encoding: TextEncoding? = nil, emptyResponseCodes: Set<Int>,
        completionHandler: @escaping @Sendable (DataResponse<String>) -> Void
    ) -> Self {
        responseString(
            encoding: encoding, rules: BodyRules(emptyResponseCodes: emptyResponseCodes),
            completionHandler: completionHandler)
    }
}

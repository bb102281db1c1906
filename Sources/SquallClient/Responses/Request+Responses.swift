public import SquallHTTP

/// The forms that an answer can be turned into.
extension Request {
    /// The answer's body decoded as a value, by the environment's decoder unless given one.
    @inlinable
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: (any DataDecoder)? = nil,
        rules: BodyRules? = nil
    ) -> DataTask<Value> {
        DataTask(request: self, serializer: .decodable(by: decoder, rules: rules))
    }

    /// The answer's body as it is; any body is a success.
    public func serializingData(rules: BodyRules? = nil) -> DataTask<Body> {
        DataTask(request: self, serializer: .data(rules: rules))
    }

    /// The answer's body as text.
    public func serializingString(
        encoding: TextEncoding? = nil, rules: BodyRules? = nil
    ) -> DataTask<String> {
        DataTask(request: self, serializer: .string(encoding: encoding, rules: rules))
    }

    /// The answer's body as it is, also when there is none; the retriers are asked once at most.
    public func serializingResponse() -> DataTask<Body?> {
        DataTask(request: self, serializer: .raw)
    }

    /// What a serializer of the program's own makes of the answer.
    public func serializingResponse<Value: Sendable>(
        using serializer: ResponseSerializer<Value>
    ) -> DataTask<Value> {
        DataTask(request: self, serializer: serializer)
    }
}

/// The forms with a completion, which send the request in a task of its own.
extension Request {
    /// Hands the decoded answer to a completion.
    @discardableResult
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, decoder: (any DataDecoder)? = nil,
        rules: BodyRules? = nil,
        completionHandler: @escaping @Sendable (DataResponse<Value>) -> Void
    ) -> Self {
        response(
            using: .decodable(by: decoder, rules: rules), completionHandler: completionHandler)
    }

    /// Hands the answer's body to a completion; any body is a success.
    @discardableResult
    public func responseData(
        rules: BodyRules? = nil,
        completionHandler: @escaping @Sendable (DataResponse<Body>) -> Void
    ) -> Self {
        response(using: .data(rules: rules), completionHandler: completionHandler)
    }

    /// Hands the answer's body as text to a completion.
    @discardableResult
    public func responseString(
        encoding: TextEncoding? = nil, rules: BodyRules? = nil,
        completionHandler: @escaping @Sendable (DataResponse<String>) -> Void
    ) -> Self {
        response(
            using: .string(encoding: encoding, rules: rules), completionHandler: completionHandler)
    }

    /// Hands the answer as it is to a completion; asks the retriers nothing.
    @discardableResult
    public func response(
        completionHandler: @escaping @Sendable (DataResponse<Body?>) -> Void
    ) -> Self {
        response(using: .raw, completionHandler: completionHandler)
    }

    /// Hands what a serializer makes of the answer to a completion.
    @discardableResult
    public func response<Value: Sendable>(
        using serializer: ResponseSerializer<Value>,
        completionHandler: @escaping @Sendable (DataResponse<Value>) -> Void
    ) -> Self {
        attach(serializer, completion: completionHandler)
        return self
    }
}

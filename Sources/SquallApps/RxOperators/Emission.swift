/// The result of a `Single`: a value, an error, or nothing at all.
///
/// The apps wrap each call in one. Where such a wrapper returns without emitting, its subscriber
/// waits for ever, and cannot tell that from waiting for a slow answer.
enum Emission<Value: Sendable, Failure: Error>: Sendable {
    case success(Value)
    case failure(Failure)
    /// The call has ended, but its `Single` never will.
    case nothing

    /// The value, if there is one.
    var value: Value? {
        guard case .success(let value) = self else { return nil }
        return value
    }

    /// A function's result for the value; an error or nothing stays as it is.
    func flatMap<Other>(
        _ transform: (Value) -> Emission<Other, Failure>
    ) -> Emission<Other, Failure> {
        switch self {
        case .success(let value): transform(value)
        case .failure(let error): .failure(error)
        case .nothing: .nothing
        }
    }

    /// The error, if there is one.
    var error: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

public import SquallRaces

/// A subject that is a function.
public struct ClosureSubject: RaceSubject {
    private let body: @Sendable (Schedule) throws -> Played

    /// A subject that a function plays.
    public init(_ body: @escaping @Sendable (Schedule) throws -> Played) { self.body = body }

    /// Calls the function.
    ///
    /// - Throws: what the function does.
    public func play(_ schedule: Schedule) throws -> Played { try body(schedule) }
}

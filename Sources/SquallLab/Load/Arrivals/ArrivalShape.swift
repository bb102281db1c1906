import SquallReport

/// A span of a load during which the rate of arriving sessions follows one law.
///
/// A shape says how many sessions are expected up to any moment, and nothing else: when each of
/// them arrives follows from that (see ``ArrivalProcess``). A new kind is one new file and one line
/// in ``ArrivalShapes``.
protocol ArrivalShape: Hashable, Sendable {
    /// Its name and settings in a profile.
    static var field: Field { get }

    /// The shape that checked settings ask for.
    init(_ settings: FieldValues)

    /// How long it lasts.
    var durationNanoseconds: Int64 { get }

    /// How many sessions are expected from its beginning up to a moment within it: the integral of
    /// the rate, so it never falls.
    func expected(inFirst nanoseconds: Int64) -> Double
}

extension ArrivalShape {
    /// How many sessions are expected from its beginning to its end.
    var expectedInAll: Double { expected(inFirst: durationNanoseconds) }
}

/// The kinds of shapes there are.
enum ArrivalShapes {
    /// In the order of the reference.
    static let all = [
        Kind(ConstantRate.self), Kind(LinearRamp.self), Kind(Stairs.self), Kind(Spike.self),
        Kind(SineWave.self), Kind(Trace.self),
    ]

    /// A kind without its type.
    struct Kind: Sendable {
        let field: Field
        let make: @Sendable (FieldValues) -> any ArrivalShape

        init<Shape: ArrivalShape>(_ shape: Shape.Type) {
            field = Shape.field
            make = { Shape($0) }
        }
    }

    /// A rate of sessions as a setting.
    static func rate(_ key: String, _ summary: String) -> Field {
        Field(key, .number(0...1_000_000), .required, summary)
    }

    /// A span of a load as a setting.
    static func span(_ key: String, _ summary: String) -> Field {
        Field(key, .duration(1_000_000...2_592_000_000_000_000), .required, summary)
    }
}

/// One stage of a profile's arrivals: a shape of any kind.
public struct ArrivalStage: Sendable {
    /// The law of the rate.
    var shape: any ArrivalShape

    /// The stage that checked settings ask for.
    init(_ settings: FieldValues) {
        guard case (let key, .section(let inner))? = settings.only,
            let kind = ArrivalShapes.all.first(where: { $0.field.key == key })
        else { preconditionFailure("no such shape of arrivals: \(settings)") }
        shape = kind.make(inner)
    }

    init(_ shape: any ArrivalShape) { self.shape = shape }
}

extension ArrivalStage: Hashable {
    /// Whether both follow the same law with the same numbers.
    public static func == (left: ArrivalStage, right: ArrivalStage) -> Bool {
        AnyHashable(left.shape) == AnyHashable(right.shape)
    }

    /// Feeds the law and its numbers to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(shape)) }
}

extension Int64 {
    /// A span in seconds, for rates.
    var seconds: Double { Double(self) / 1e9 }
}

import SquallFormat

/// A span of a load during which the rate of arriving sessions follows one law.
///
/// A shape only says how many sessions are expected up to any moment; each session's arrival
/// follows from that (see ``ArrivalProcess``). A new kind is one new file and one line in
/// ``ArrivalShapes``.
protocol ArrivalShape: Hashable, Sendable {
    /// Its name in a profile, and a sentence about it.
    static var name: String { get }
    static var summary: String { get }
    /// The reason for which its sessions cannot arrive at random; `nil` where they can.
    static var needsEvenSpacing: String? { get }

    /// Reads its settings.
    init(_ read: inout SettingsReader)

    var durationNanoseconds: Int64 { get }

    /// The number of sessions that are expected from its beginning up to a moment within it: the
    /// integral of the rate, so it never falls.
    func expected(inFirst nanoseconds: Int64) -> Double

    /// The shape with the contents of its files.
    func reading(_ files: [String: String]) -> Self

    /// The shape played a number of times as fast; nil for one with a rate, which is multiplied.
    func played(timesAsFast factor: Double) -> Self?
}

extension ArrivalShape {
    static var needsEvenSpacing: String? { nil }

    var expectedInAll: Double { expected(inFirst: durationNanoseconds) }

    func reading(_ files: [String: String]) -> Self { self }

    func played(timesAsFast factor: Double) -> Self? { nil }

    fileprivate static var setting: Setting<any ArrivalShape> {
        Setting(name, .section { Self(&$0) as any ArrivalShape }, summary)
    }
}

/// The kinds of shapes there are.
public enum ArrivalShapes {
    /// The most sessions a second that one stage of a load can offer.
    public static let rateMax = 1_000_000.0

    /// In the order of the reference.
    static let all: [any ArrivalShape.Type] = [
        ConstantRate.self, LinearRamp.self, Stairs.self, Spike.self, SineWave.self, ArrivalLog.self,
    ]

    /// One stage of a profile's arrivals: a shape of any kind.
    static var format: SettingFormat<any ArrivalShape> { .oneOf(all.map { $0.setting }) }
}

extension SettingFormat where Value == Double {
    static var rate: SettingFormat { .number(0...ArrivalShapes.rateMax) }
}

extension SettingFormat where Value == Int64 {
    /// A span of a load.
    static var span: SettingFormat { .duration(Span.millisecond...Span.year) }
}

extension Int64 {
    /// A span in seconds, for rates.
    var seconds: Double { Double(self) / 1e9 }
}

import SquallFormat
import SquallKernel

/// A JSON value on one line of a profile, with its members in the order in which they are written.
struct ProfileValue: Sendable {
    /// The value as JSON.
    let json: String

    init(json: String) { self.json = json }

    /// An object; a member without a value is left out.
    init(_ members: [Member]) {
        let members = members.compactMap { name, value in
            value.map { "\(JSON.string(name).line): \($0.json)" }
        }
        json = "{ \(members.joined(separator: ", ")) }"
    }

    init(_ elements: [ProfileValue]) {
        json = "[\(elements.map(\.json).joined(separator: ", "))]"
    }

    init(_ number: some BinaryInteger) { json = "\(number)" }

    typealias Member = (name: String, value: ProfileValue?)

    private static let digits = 4

    /// Nanoseconds with four significant digits, between 0 and the longest duration of profiles.
    static func rounded(_ nanoseconds: Double) -> Int64 {
        Distribution.rounded(nanoseconds, digits: digits)
    }

    /// A duration with four significant digits.
    static func time(_ nanoseconds: Double) -> ProfileValue {
        .exactTime(rounded(nanoseconds))
    }

    static func exactTime(_ nanoseconds: Int64) -> ProfileValue {
        "\(Units.exact(nanoseconds: nanoseconds))"
    }

    /// A number with four significant digits.
    static func number(_ value: Double) -> ProfileValue {
        ProfileValue(json: Units.digits(value, significant: digits))
    }

    /// A law with four significant digits.
    static func law(_ law: Distribution) -> ProfileValue {
        ProfileValue(json: law.text(digits: digits))
    }
}

extension ProfileValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { json = JSON.string(value).line }
    init(booleanLiteral value: Bool) { json = "\(value)" }
    init(integerLiteral value: Int64) { self.init(value) }
    init(floatLiteral value: Double) { json = "\(value)" }
    init(arrayLiteral elements: ProfileValue...) { self.init(elements) }
    init(dictionaryLiteral members: (String, ProfileValue?)...) {
        self.init(members.map { (name: $0.0, value: $0.1) })
    }
}

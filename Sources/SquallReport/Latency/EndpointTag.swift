/// The tag in `latency.hlog` for the attempts of one population at one endpoint.
///
/// It is written `request_duration/<population>/<endpoint>/<outcome>`, with `%XX` for characters
/// that have a meaning in that file.
public struct EndpointTag: Hashable, Sendable {
    /// The population's name in the profile.
    let population: String
    /// The endpoint's name.
    let endpoint: String
    /// The outcome of the attempts.
    let outcome: Outcome

    /// The outcome of an attempt.
    public enum Outcome: String, CaseIterable, Hashable, Sendable {
        /// The client got what it asked for.
        case ok
        /// The response was that the access token had expired.
        case expired
        /// Anything else, or no response.
        case failed
    }

    /// A tag of its parts.
    public init(population: String, endpoint: String, outcome: Outcome) {
        self.population = population
        self.endpoint = endpoint
        self.outcome = outcome
    }

    private static let head = "request_duration"

    /// The tag as the file has it.
    public var text: String {
        [Self.head, population.hexEscaped, endpoint.hexEscaped, outcome.rawValue]
            .joined(separator: "/")
    }
}

extension String {
    /// The text with `%XX` for each byte that is no letter, digit, dot, dash or underscore.
    fileprivate var hexEscaped: String {
        var text = ""
        for byte in utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            if byte < 128, isPlain || ".-_".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return text
    }
}

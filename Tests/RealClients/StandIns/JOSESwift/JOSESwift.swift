public import Foundation

// Names of JOSESwift that a real client uses. Its own code needs Apple's Security; only a sign-in
// in a browser looks at a signature, and nothing that is played comes to it.

/// A key of the system's.
public final class SecKey {}

/// There is no Security here.
public struct NoSecurity: Error {}

/// How a token is signed.
public enum SignatureAlgorithm: String { case RS256, ES256, ES384, ES512 }

/// A key in JSON.
public protocol JWK {}

/// A key on an elliptic curve.
public struct ECPublicKey: JWK {
    /// Throws.
    public func converted(to type: SecKey.Type) throws -> SecKey { throw NoSecurity() }
}

/// A key of RSA.
public struct RSAPublicKey: JWK {
    /// Throws.
    public func converted(to type: SecKey.Type) throws -> SecKey { throw NoSecurity() }
}

/// A key that both sides have.
public struct SymmetricKey: JWK {
    /// Throws.
    public func converted(to type: Data.Type) throws -> Data { throw NoSecurity() }
}

/// A provider's keys: none can be read.
public struct JWKSet: Codable {
    /// None.
    public var keys: [any JWK] { [] }
    /// Throws.
    public init(from decoder: any Decoder) throws { throw NoSecurity() }
    /// Throws.
    public func encode(to encoder: any Encoder) throws { throw NoSecurity() }
}

/// What checks a signature: there is none.
public struct Verifier {
    /// Nothing.
    public init?<Key>(signatureAlgorithm: SignatureAlgorithm, key: Key) { return nil }
}

/// A signed token: none can be read.
public struct JWS {
    /// What is said of its signature.
    public struct Header {
        /// How it is signed.
        public var algorithm: SignatureAlgorithm?
    }

    /// What is said of its signature.
    public var header: Header { Header() }
    /// Throws.
    public init(compactSerialization: String) throws { throw NoSecurity() }
    /// Throws.
    public func validate(using verifier: Verifier) throws -> JWS { throw NoSecurity() }
}

// Names of Apple's CommonCrypto that a real client uses, where nothing that is played comes to.

/// A length.
public typealias CC_LONG = UInt32
/// How many bytes a hash has.
public let CC_SHA256_DIGEST_LENGTH: Int32 = 32

/// No hash: only a sign-in in a browser asks for one.
public func CC_SHA256(
    _ data: UnsafeRawPointer?, _ count: CC_LONG, _ digest: UnsafeMutablePointer<UInt8>
) -> UnsafeMutablePointer<UInt8>? { nil }

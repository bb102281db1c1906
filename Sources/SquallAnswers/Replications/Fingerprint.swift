import SquallFormat
import SquallLab

/// A hash of 128 bits over a content, which only equal contents share.
///
/// FNV-1a over the bytes (Fowler, Noll and Vo). A profile is hashed setting by setting as it was
/// read, so comments, order and explicit defaults do not matter, nor where a value was set.
struct Fingerprint: Sendable {
    private var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    /// Makes the fingerprint of nothing.
    init() {}

    /// Adds a text and its end.
    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0)
    }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }

    /// Adds a profile with its seed.
    mutating func add(_ profile: Profile) { add(Fingerprint.text(of: profile)) }

    /// 32 hexadecimal digits.
    var text: String { hash.hexadecimal }

    /// The text of a value, member by member; unordered collections are sorted.
    private static func text(of value: Any) -> String {
        if let json = value as? JSON { return json.line }
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return "\(value)" }
        let parts = mirror.children.map { child in
            "\(child.label ?? "")=\(text(of: child.value))"
        }
        let isUnordered = mirror.displayStyle == .dictionary || mirror.displayStyle == .set
        return "(\((isUnordered ? parts.ordered(by: <) : parts).joined(separator: ";")))"
    }
}

import SquallHTTP

/// The heads of responses that came lately, known again by their bytes.
///
/// A server writes the same head before many responses, until its clock shows the next second: it
/// is compared then, and not read. What a head means depends on its bytes alone, but for `HEAD`.
final class KnownHeads {
    struct Known {
        fileprivate let bytes: [UInt8]
        let head: ResponseHead
        let framing: BodyReader.Framing
        /// The number of its bytes, the empty line included.
        var count: Int { bytes.count }
    }

    private var heads: [Known] = []
    /// The place of the oldest one.
    private var oldest = 0

    /// As many as a user's calls have lengths; each is compared up to where it differs.
    private static let most = 8

    /// The known head with which the bytes begin.
    func head(of bytes: UnsafeRawBufferPointer) -> Known? {
        heads.first { $0.bytes.withUnsafeBytes { bytes.begins(with: $0) } }
    }

    /// Keeps a head in the place of the oldest one.
    func add(_ bytes: UnsafeRawBufferPointer, _ head: ResponseHead, _ framing: BodyReader.Framing) {
        let known = Known(bytes: Array(bytes), head: head, framing: framing)
        guard heads.count == Self.most else { return heads.append(known) }
        heads[oldest] = known
        oldest = (oldest + 1) % Self.most
    }
}

extension UnsafeRawBufferPointer {
    /// Compares eight bytes at a time.
    fileprivate func begins(with start: UnsafeRawBufferPointer) -> Bool {
        guard start.count <= count else { return false }
        var place = 0
        while place + 8 <= start.count {
            guard
                loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    == start.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            else { return false }
            place += 8
        }
        return self[place..<start.count].elementsEqual(start[place...])
    }
}

/// A file by its size and seed: an image or document with bytes that are made only when read.
///
/// A world holds thousands of covers and novels of a hundred kilobytes; no code reads their
/// content, but their size decides how long they travel.
public struct Blob: Hashable, Sendable {
    /// The first bytes of the file, which tell its kind, such as `%PDF-1.7`.
    public let magic: [UInt8]
    /// The seed of the bytes that follow `magic`.
    public let seed: UInt64
    /// The size of the file in bytes, at least that of `magic`.
    public let count: Int

    /// A file that starts with `magic` and goes on with bytes made from `seed`.
    ///
    /// - Precondition: `count` is not smaller than the length of `magic`.
    public init(magic: [UInt8], seed: UInt64, count: Int) {
        precondition(
            count >= magic.count, "a blob of \(count) bytes cannot begin with \(magic)")
        self.magic = magic
        self.seed = seed
        self.count = count
    }

    /// Every byte, the same in every process.
    public var bytes: [UInt8] {
        var bytes = magic
        bytes.reserveCapacity(count)
        var word = seed
        while bytes.count < count {
            word = BodyChunk.fold(word, UInt64(bytes.count))
            bytes.append(UInt8(truncatingIfNeeded: word))
        }
        return bytes
    }
}

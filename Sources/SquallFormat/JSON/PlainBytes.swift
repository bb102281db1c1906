extension UnsafeRawBufferPointer {
    /// Where the first eight bytes begin of which one may mean something in a JSON string: one that
    /// is below 32, a quotation mark or a backslash; before that none does.
    ///
    /// It looks at eight bytes at once, and so leaves fewer than eight at the end to the caller.
    public func endOfPlainJSON(from start: Int) -> Int {
        var place = start
        while place + 8 <= count,
            isPlainJSON(loadUnaligned(fromByteOffset: place, as: UInt64.self))
        {
            place += 8
        }
        return place
    }
}

private func isPlainJSON(_ bytes: UInt64) -> Bool {
    let (ones, tops) = (UInt64(0x0101_0101_0101_0101), UInt64(0x8080_8080_8080_8080))
    // The top bit of the lowest byte that is less than a number up to 128; above it, the bits of
    // others may be set too.
    func bits(_ word: UInt64, below least: UInt64) -> UInt64 { (word &- ones &* least) & ~word }
    let quotes = bits(bytes ^ ones &* 0x22, below: 1)
    let escapes = bits(bytes ^ ones &* 0x5C, below: 1)
    return (bits(bytes, below: 32) | quotes | escapes) & tops == 0
}

import SquallHTTP

/// A picture from the user's library, encoded for an upload.
struct Photo: Sendable, Hashable {
    /// How the app encodes pictures before it sends them.
    enum Format: Sendable, Hashable {
        case png, jpeg
    }

    /// The encoded picture.
    let body: Body

    /// A picture of a size between the limits; the user's choices decide its content.
    ///
    /// A phone's photos take 1…9 MB as PNG and 100…900 kB as JPEG of half quality.
    init(_ format: Format, kilobytes: ClosedRange<Int>, choices: TapChoices) {
        let magic: [UInt8]
        switch format {
        case .png: magic = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        case .jpeg: magic = [0xFF, 0xD8, 0xFF, 0xE0]
        }
        let size = (kilobytes.lowerBound + choices.below(kilobytes.count)) * 1_000
        body = Body(Blob(magic: magic, seed: UInt64(choices.below(1 << 32)), count: size))
    }
}

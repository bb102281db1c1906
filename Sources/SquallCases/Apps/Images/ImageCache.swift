import SquallApps
import SquallHTTP

/// The images that a phone keeps, and until when; the images themselves are not needed.
///
/// One sorted list and no dictionary, because a million phones keep one each: 12 bytes an image,
/// whose path is its fingerprint.
struct ImageCache: Sendable {
    /// By key.
    private var images: [Image] = []

    private struct Image {
        // Two halves, as a whole word would take another four bytes.
        let high, low: UInt32
        /// Seconds since the epoch.
        let expiry: UInt32

        var key: UInt64 { UInt64(high) << 32 | UInt64(low) }
    }

    private static let step = 4

    var count: Int { images.count }

    /// True for an image that is kept at a moment, in seconds since the epoch.
    func holds(_ key: UInt64, at now: Int64) -> Bool {
        let position = position(of: key)
        return position < images.count && images[position].key == key
            && now < Int64(images[position].expiry)
    }

    /// Keeps an image until a moment, in seconds since the epoch.
    mutating func keep(_ key: UInt64, until expiry: Int64) {
        let position = position(of: key)
        let image = Image(
            high: UInt32(key >> 32), low: UInt32(truncatingIfNeeded: key),
            expiry: UInt32(clamping: expiry))
        if position < images.count, images[position].key == key {
            images[position] = image
        } else {
            // By few at a time: twice as many would be kept by a million phones.
            if images.count == images.capacity { images.reserveCapacity(images.count + Self.step) }
            images.insert(image, at: position)
        }
    }

    /// The position where a key stands or would stand.
    private func position(of key: UInt64) -> Int {
        var low = 0
        var high = images.count
        while low < high {
            let middle = (low + high) / 2
            if images[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

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

import SquallApps
import SquallHTTP

/// The images that a phone keeps, and until when; the images themselves are not needed.
///
/// One sorted list of words and no dictionary, because a million phones keep one each.
struct ImageCache: Sendable {
    /// Of each, the high bits of its path's fingerprint, by which they are sorted, and below them
    /// the low bits of the second since the epoch at which it expires.
    ///
    /// Of twenty images two are taken for one in one of 10⁹ phones, and an image that was not
    /// looked at for two years may count as kept for another week.
    private var images: [UInt64] = []

    private static let secondBits: UInt64 = 26
    private static let secondsMask: UInt64 = 1 << secondBits - 1
    private static let step = 4

    var count: Int { images.count }

    /// True for an image that is kept at a moment, in seconds since the epoch.
    func holds(_ key: UInt64, at now: Int64) -> Bool {
        let position = position(of: key)
        guard hasImage(key, at: position) else { return false }
        // Around the end of the seconds' bits.
        let left = (images[position] &- UInt64(bitPattern: now)) & Self.secondsMask
        return left > 0 && left <= UInt64(ImageLoader.lifetimeSeconds)
    }

    /// Keeps an image until a moment, in seconds since the epoch, at most a life away.
    mutating func keep(_ key: UInt64, until expiry: Int64) {
        let position = position(of: key)
        let image =
            key & ~Self.secondsMask | UInt64(bitPattern: expiry) & Self.secondsMask
        if hasImage(key, at: position) {
            images[position] = image
        } else {
            // By few at a time: twice as many would be kept by a million phones.
            if images.count == images.capacity { images.reserveCapacity(images.count + Self.step) }
            images.insert(image, at: position)
        }
    }

    private func hasImage(_ key: UInt64, at position: Int) -> Bool {
        position < images.count
            && images[position] >> Self.secondBits == key >> Self.secondBits
    }

    /// The position where a key stands or would stand.
    private func position(of key: UInt64) -> Int {
        let least = key & ~Self.secondsMask
        return images.withUnsafeBufferPointer { images in
            var (low, high) = (0, images.count)
            while low < high {
                let middle = (low + high) / 2
                if images[middle] < least { low = middle + 1 } else { high = middle }
            }
            return low
        }
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
    init(_ format: Format, kilobytes: ClosedRange<Int>, choices: borrowing TapChoices) {
        let magic: [UInt8]
        switch format {
        case .png: magic = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        case .jpeg: magic = [0xFF, 0xD8, 0xFF, 0xE0]
        }
        let size = (kilobytes.lowerBound + choices.below(kilobytes.count)) * 1_000
        body = Body(Blob(magic: magic, seed: UInt64(choices.below(1 << 32)), count: size))
    }
}

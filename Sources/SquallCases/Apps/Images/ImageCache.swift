import SquallApps
import SquallHTTP

/// The images that a phone keeps, and until when; the images themselves are not needed.
///
/// Two sorted lists and no dictionary, because a million phones keep one each: 12 bytes an image,
/// whose path is its fingerprint.
struct ImageCache: Sendable {
    private var keys: [UInt64] = []
    /// Seconds since the epoch, in the order of the keys.
    private var expiries: [UInt32] = []

    var count: Int { keys.count }

    /// True for an image that is kept at a moment, in seconds since the epoch.
    func holds(_ key: UInt64, at now: Int64) -> Bool {
        let position = position(of: key)
        return position < keys.count && keys[position] == key && now < Int64(expiries[position])
    }

    /// Keeps an image until a moment, in seconds since the epoch.
    mutating func keep(_ key: UInt64, until expiry: Int64) {
        let position = position(of: key)
        let seconds = UInt32(clamping: expiry)
        if position < keys.count, keys[position] == key {
            expiries[position] = seconds
        } else {
            keys.insert(key, at: position)
            expiries.insert(seconds, at: position)
        }
    }

    /// The position where a key stands or would stand.
    private func position(of key: UInt64) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
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

/// The images that a phone keeps, and until when; the images themselves are not needed.
///
/// Two sorted lists and no dictionary, because a million phones keep one each: 12 bytes an image.
struct ImageCache: Sendable {
    private var keys: [UInt64] = []
    /// Seconds since the epoch, in the order of the keys.
    private var expiries: [UInt32] = []

    /// How many images are kept, including expired ones.
    var count: Int { keys.count }

    /// Whether an image is kept at a moment, in seconds since the epoch.
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

    /// Where a key stands or would stand.
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

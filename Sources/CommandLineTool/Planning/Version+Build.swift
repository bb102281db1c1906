import Foundation

extension Version {
    /// What names this very program: 64 bits over its file, so that nothing that another build
    /// found is taken for its own.
    static var build: String {
        guard let path = Bundle.main.executablePath,
            let data = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
        else { return current }
        let hash = data.withUnsafeBytes { bytes in
            var hash = UInt64(bytes.count)
            var offset = 0
            while offset + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 29
                offset += 8
            }
            return hash
        }
        return "\(current)-\(String(hash, radix: 16))"
    }
}

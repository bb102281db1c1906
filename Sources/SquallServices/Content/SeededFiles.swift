import SquallHTTP

/// The files from before the run by their paths: sizes and kinds as seen, bytes made on demand.
enum SeededFiles {
    private static let documents = 5

    /// Where a novel's cover lies.
    static func coverPath(_ novel: Int) -> String {
        "uploads/posts/novel_cover_\(novel)_1724434004933.jpg"
    }

    /// Where an episode's document lies; five documents serve all episodes in turn.
    static func documentPath(_ episode: Int) -> String {
        "uploads/posts/novel_m\(episode % documents + 1)_1724773384035.pdf"
    }

    /// Where a picture of a post lies.
    static func picturePath(_ number: Int, _ fileExtension: String) -> String {
        "uploads/posts/picture_\(number)_1724434004933.\(fileExtension)"
    }

    /// Where a user's portrait lies; one in three never set one.
    static func portraitPath(_ user: Int) -> String? {
        user % 3 == 2 ? nil : "uploads/profiles/portrait_\(user)_1724434004933.png"
    }

    /// The file at a path, if there is one.
    static func blob(at path: String) -> Blob? {
        if let number = number(in: path, after: "uploads/posts/novel_m") {
            guard number > 0, number <= documents else { return nil }
            return Blob(
                magic: Array("%PDF-1.7\n".utf8), seed: number, count: 109_000 + Int(number) * 29_000
            )
        }
        if let number = number(in: path, after: "uploads/posts/novel_cover_") {
            return Blob(
                magic: jpeg, seed: 1_000 + number, count: 56_000 + Int(number % 20) * 4_650)
        }
        if let number = number(in: path, after: "uploads/profiles/portrait_") {
            return Blob(
                magic: Array("\u{89}PNG".utf8.dropFirst()), seed: 2_000_000 &+ number,
                count: 20_000 + Int(number % 20) * 2_000)
        }
        guard let number = number(in: path, after: "uploads/posts/picture_") else { return nil }
        return Blob(
            magic: path.hasSuffix("png") ? Array("\u{89}PNG".utf8.dropFirst()) : jpeg,
            seed: 1_000_000 &+ number, count: 150_000 + Int(number % 50) * 12_000)
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]

    private static func number(in path: String, after prefix: String) -> UInt64? {
        guard path.hasPrefix(prefix) else { return nil }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let rest = path.utf8.dropFirst(prefix.utf8.count)
        return UInt64(Substring(rest.prefix(while: digits.contains)))
    }
}

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

    /// The file at a path below `uploads/`, if there is one.
    static func blob(at path: Substring) -> Blob? {
        var path = path
        return path.withUTF8(blob(named:))
    }

    private static func blob(named name: UnsafeBufferPointer<UInt8>) -> Blob? {
        if let number = number(in: name, after: "posts/novel_m") {
            guard number > 0, number <= documents else { return nil }
            return Blob(magic: pdf, seed: number, count: 109_000 + Int(number) * 29_000)
        }
        if let number = number(in: name, after: "posts/novel_cover_") {
            return Blob(
                magic: jpeg, seed: 1_000 + number, count: 56_000 + Int(number % 20) * 4_650)
        }
        if let number = number(in: name, after: "profiles/portrait_") {
            return Blob(
                magic: png, seed: 2_000_000 &+ number, count: 20_000 + Int(number % 20) * 2_000)
        }
        guard let number = number(in: name, after: "posts/picture_") else { return nil }
        return Blob(
            magic: name.suffix(3).elementsEqual("png".utf8) ? png : jpeg,
            seed: 1_000_000 &+ number, count: 150_000 + Int(number % 50) * 12_000)
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
    private static let png = Array("\u{89}PNG".utf8.dropFirst())
    private static let pdf = Array("%PDF-1.7\n".utf8)

    /// The number behind a prefix; byte by byte, as each picture of each screen asks.
    private static func number(
        in name: UnsafeBufferPointer<UInt8>, after prefix: StaticString
    ) -> UInt64? {
        let (first, text) = (prefix.utf8CodeUnitCount, prefix.utf8Start)
        guard name.count > first else { return nil }
        for position in 0..<first where name[position] != text[position] { return nil }
        var (place, number) = (first, UInt64(0))
        while place < name.count, name[place] &- UInt8(ascii: "0") < 10 {
            let (tens, isLarge) = number.multipliedReportingOverflow(by: 10)
            let digit = UInt64(name[place] &- UInt8(ascii: "0"))
            let (sum, isLarger) = tens.addingReportingOverflow(digit)
            guard !isLarge, !isLarger else { return nil }
            (place, number) = (place + 1, sum)
        }
        return place > first ? number : nil
    }
}

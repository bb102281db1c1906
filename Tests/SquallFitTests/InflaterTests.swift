import Foundation
import Testing

@testable import SquallFit

@Suite("Unpacking")
struct InflaterTests {
    private func unpacked(_ packed: [UInt8], pieces: Int, bombBytes: Int = 1 << 20) throws
        -> [UInt8]
    {
        var (place, output) = (0, [UInt8]())
        var inflater = Inflater(bombBytes: bombBytes) {
            defer { place += pieces }
            guard place < packed.count else { return nil }
            return Array(packed[place..<min(packed.count, place + pieces)])
        }
        try inflater.unpack { output += $0 }
        return output
    }

    private func bytes(_ text: String) throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
    }

    @Test("Dynamic, fixed and stored blocks and several members come out as they were packed")
    func blocks() throws {
        let text = (0..<120).map { number in
            "10.0.0.\(number % 7) - - [10/Oct/2023:13:55:\(10 + number % 50) +0000] \"GET"
                + " /posts/\(number * number) HTTP/1.1\" 200 \(number * 37 % 991)\n"
        }.joined()
        for pieces in [1, 7, 1 << 16] {
            #expect(try unpacked(bytes(Self.dynamic), pieces: pieces) == Array(text.utf8))
        }
        let members = try bytes(Self.stored) + bytes(Self.fixed)
        #expect(
            try unpacked(members, pieces: 5) == Array("stored\na fixed code, a fixed code\n".utf8))
    }

    @Test("A packed log is read as the log")
    func log() throws {
        #expect(try reading(bytes(Self.dynamic), pieces: 100).reading.requests == 120)
    }

    @Test("A packed log that is cut off or damaged is refused as such", arguments: 0..<200)
    func damage(seed: Int) throws {
        var packed = try bytes(Self.dynamic)
        if seed % 2 == 0 {
            packed.removeLast(1 + seed * 3)
        } else {
            packed[10 + seed * 2] ^= UInt8(1 << (seed % 8))
        }
        #expect(throws: LogProblem.self) { try unpacked(packed, pieces: 64) }
    }

    @Test("A file that unpacks to hundreds of times its size is refused before memory fills")
    func bomb() throws {
        let member = try bytes(Self.bomb)
        let packed = Array((0..<8).map { _ in member }.joined())
        #expect(throws: LogProblem.self) { try unpacked(packed, pieces: 1 << 16) }
        let one = try unpacked(member, pieces: 1 << 16)
        #expect(one == Array(repeating: 0, count: 1 << 18))
    }

    private static let dynamic = """
        H4sIAAAAAAAC/5WZu44cRwxFc33FQKlhTfFZrM0NKbODzQxH/gAbkP4fGtgYDND3Fli7mxM93YdF3lMyvvz3f/v1 \
        8f+njPvvf/+461B7E3uLeJNx+2U8/v66ff762/vt/u8/3398v4/bt/f3P+7yRT7fdIzb+CT/15FtHWF15FLH5rOQ \
        bgspK+SXQtOfhWxbyFihdSkkIs9Kvq3k9LfltZTXs1RsSwUrpXEtVfEsldtSyUrZ9alU9VlqD8Gk7/z6rjRWz0Gx \
        Unn9frqyJ2GxUgVMmbUsKKVcxgA+R0uDctL1+lw+ZouDUtjFr6/L3Vse1Dil16/oJS0QyolfV7hCqiVCOfLAfES0 \
        SGjy9oHnWtozQaHXur6v1NUzQak3vX7HzOyZWLyvr3zNYS0TRrl34H76aJkwyr07PNecLRPGD/m6vq8Sb5kwyn3o \
        9TtWSMuEUe5jXvmqqpYJo9wncL80WiaMcp/wXCu1Z4JyP/F99URQ6id8RY8eCH7WA1ylLQ9OmV/AvMhqeXDK/IJe \
        lMiWB+dn/YBDQpa1QDg/7AecXmqjJcL5aS9wrGrOFgoPPh6BexveYuHJi8EgMpceDAq+GExIm9WTUZvJDfBL9GhQ \
        +iVwpwht0Qi+6yQ0gNdq0Qi+7CRsYaHZohG8AyZsh5HWohG8Awq21scPb9GIzb4D23S+EswWjeALz4AOyFeK2aIR \
        fOMRSB/zFWT2aPCVR8eCfaB6NGgHPM4byGqvMLNHg3aA+sABoH0GGXxLhA6oV6DRjwVbTXyyV6Sxj4VbnfDO1ivU \
        +McCrhZ8zfVKNfGxjKsLU272yZQ2gGEDhPXRlKdcgc5cB45ibrZ0kAJ64Cn4ym9wmEkeuAq+8zscszp6XcHDruEA \
        UOuFBU+7NmE06eyVBY+7VjA0TXppwfOuLRzn3msLHnh94KJRvbjgiddxBXI9UBe0AdxgOfM8cBdc9Disjb4O5AXt \
        AE9YaMMO7AXtAJ+wasfs9cUm9mIGyNH7C557Y0A2Se8FBg++IZCZsnqDsUm+BlFuSq8wNtHXIWPO6B0Gz76B4Xeu \
        A4mRPJRjKrcDi0E7IBbG3zzQGFx2Dviaaxx4jMV9AXC2vBcZPAQnmp81e5PBU3AG9KZ6H1yVmwxUZdLnVsp/Fpxm \
        q3cZPAPPAcesWG8zeAaeOABkHvgMiv80GE2PNb7ngsufgKGpfmA0uP+ZMM61DowGxX8uWDRMe6PBM3AR4R+90eAZ \
        uBRvIlZvNHgGLoe10a03GjwDV8JC69kbDZ6Bq2DTjtEbDZ6BF4kAfmA0aAc8yIAnmwdGg3bAckhNKQdGo7gfhDyX \
        cWA0aAesgqSZqzcasrvxQvevvdLY3O4OhWeb2TsN2ZhQh9dWo5caslGhCV+0rLcam7veUQBbzV5r8CQsgn2w5MBr \
        cBsqimHYD8QG16HijuPzwGxwHyoJB5tpDwj3oVKFrdDHlLG5r8UbgdG7jd3tr8GcEu/txub+VwNGqFTvNzY3wDpx \
        uksvODZ3wLpw8YjecPBMLIY7ka4DxcE7wRzWNdMDx7G7GIBF0vJAcvBOsAUrro8Dy8FbwQWWb7f16SdFNqPc7iMA \
        AA==
        """
    private static let stored = "H4sIAAAAAAAA/wEHAPj/c3RvcmVkCuKcU6UHAAAA"
    private static let fixed = "H4sIAAAAAAAC/0tUSMusSE1RSM5PSdVRSETicQEAEQN4DxsAAAA="
    private static let bomb = """
        H4sIAAAAAAAC/+3BMQEAAADCoPVP7W0HoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA \
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA \
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA \
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA \
        AAAAAAAAAAAAAAAAAAAA3gAi6g7iAAAEAA==
        """
}

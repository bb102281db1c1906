import SquallKernel
import Testing

@testable import SquallLab

@Suite("Table of numbers")
struct NumberTableTests {
    @Test(
        "A table of numbers holds what a dictionary holds, after any changes",
        arguments: 1...20)
    func likeADictionary(seed: UInt64) {
        let stream = RandomStream(seed: seed)
        var table = NumberTable(none: 7)
        var dictionary: [UInt64: Int] = [:]
        for step in 0..<2_000 {
            let word = stream.bits(at: UInt64(step))
            // Few numbers, in clusters, so that many meet at one place.
            let key = word >> 8 & 3 | (word >> 16 & 15) << 32
            switch word & 3 {
            case 0: #expect(table.removeValue(forKey: key) == dictionary.removeValue(forKey: key))
            case 1: (table[key], dictionary[key]) = (step, step)
            case 2:
                table.change(key) { $0 += step }
                dictionary[key, default: 7] += step
            default: #expect(table[key] == dictionary[key])
            }
            #expect(table.contains(key) == (dictionary[key] != nil))
        }
        for (key, value) in dictionary { #expect(table[key] == value) }
    }
}

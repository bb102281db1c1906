import SquallKernel
import Testing

@testable import SquallBackend

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("Numbers are written as everybody writes them, and read back", arguments: 1...16)
    func digits(count: Int) {
        let stream = RandomStream(seed: UInt64(count))
        let mask = count == 16 ? UInt64.max : (1 << UInt64(count * 4)) - 1
        let numbers =
            [0, 9, 10, 15, 0x9F, 0xA0, UInt64.max] + (0..<200).map { stream.bits(at: $0) }
        for number in numbers.map({ $0 & mask }) {
            let text = String(unsafeUninitializedCapacity: count) { buffer in
                var writer = HexWriter(buffer: buffer)
                writer.number(number, digits: count)
                return writer.count
            }
            let plain = String(number, radix: 16)
            #expect(text == String(repeating: "0", count: count - plain.count) + plain)
            #expect(text.readingHex { $0.number(count) } == number)
        }
    }

    @Test("Any byte but a lower-case digit makes eight digits no number", arguments: 0..<8)
    func unmatched(place: Int) {
        for byte in UInt8.min...UInt8.max {
            var text = Array("0f3a9c21".utf8)
            text[place] = byte
            let number = text.withUnsafeBufferPointer { bytes in
                var reader = HexReader(bytes)
                return reader.number(8)
            }
            let isDigit = (48...57).contains(byte) || (97...102).contains(byte)
            let plain = String(decoding: text, as: UTF8.self)
            #expect(number == (isDigit ? UInt64(plain, radix: 16) : nil), "byte \(byte)")
        }
    }
}

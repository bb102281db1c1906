import SquallSockets
import Testing

@testable import SquallLive

@Suite("Limits of a driven run")
struct PaceTests {
    @Test(
        "A pace sends its requests a second, and at most a tenth of them at once",
        arguments: [1, 50, 999])
    func rate(perSecond: Int64) {
        var pace = Pace(perSecond: perSecond)
        var (sent, atOnce): (Int64, Int64) = (0, 0)
        for millisecond in 0..<10_000 as Range<Int64> {
            let now = 5_000_000_000 + millisecond * 1_000_000
            while pace.allows(at: now) { sent += 1 }
            if millisecond == 0 { atOnce = sent }
            #expect(pace.wait(at: now) > 0)
        }
        #expect(atOnce == max(1, perSecond / 10))
        #expect((10 * perSecond...10 * perSecond + atOnce + 1).contains(sent))
    }

    @Test("A target is an address, and only this machine is loopback by its address")
    func targets() throws {
        func loopback(_ text: String) throws -> Bool { try DriveTarget(text).isLoopback }
        #expect(try loopback("http://127.0.0.1:8080"))
        #expect(try loopback("http://localhost:8080/api/"))
        #expect(try loopback("http://[::1]:80"))
        #expect(try !loopback("http://127.0.0.1.example.com"))
        #expect(try !loopback("http://localhost.example.com"))
        #expect(try !loopback("http://10.0.0.7:8080"))
        #expect(try !loopback("http://[2001:db8::1]:8080"))
        let target = try DriveTarget("HTTP://Staging.Example:8080/api/")
        #expect(target.host == "staging.example" && target.address.port == 8_080)
        #expect(target.address.path == "/api")
        #expect(target.text == "http://staging.example:8080/api")
        for wrong in [
            "127.0.0.1:8080", "http://", "http://a:0", "http://a:99999",
            "http://me:secret@a.test", "http://a.test/?x=1", "http://[::1",
        ] {
            #expect(throws: DriveTarget.Problem.self, "\(wrong)") { try DriveTarget(wrong) }
        }
    }
}

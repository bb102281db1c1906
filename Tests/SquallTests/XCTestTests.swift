import Foundation
import Squall
import XCTest

final class XCTestTests: XCTestCase {
    func testAWorldInXCTest() throws {
        let run = try simulate { world in
            let far = world.mount(
                TokenService(.bearer, routes: [.get("/a", json: "{}").withoutToken()]))
            let session = URLSession(configuration: far.urlSessionConfiguration)
            _ = try await session.data(from: far.url.appending(path: "a"))
        }
        XCTAssertEqual(run.elapsed, .milliseconds(80))
    }

    func testAWorldInAnAsyncTest() async throws {
        let start = Date.now
        try await Task.sleep(for: .milliseconds(5))
        let run = try simulate { _ in try await Task.sleep(for: .seconds(3600)) }
        XCTAssertEqual(run.elapsed, .seconds(3600))
        XCTAssertLessThan(Date.now.timeIntervalSince(start), 60)
    }
}

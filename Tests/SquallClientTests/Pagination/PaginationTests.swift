import SquallKernel
import SquallLab
import Testing

@testable import SquallClient

@Suite("Pagination")
struct PaginationTests {
    /// Runs a body in a world with a server of so many items.
    private func run(
        items: Int, failing: String? = nil,
        _ body: @escaping @Sendable (PageServer, Simulation) async throws -> Void
    ) throws -> PageServer {
        let simulation = Simulation()
        let server = PageServer(
            items, time: simulation, failing: failing)
        let failures = Notes<String>()
        simulation.spawn {
            do { try await body(server, simulation) } catch { failures.append("\(error)") }
        }
        _ = try simulation.run(until: Instant(nanoseconds: 1_000_000_000_000))
        #expect(failures.values.isEmpty)
        return server
    }

    private func pages(
        _ server: PageServer, prefetch: Int = 0,
        terminator: CursorOrder<NumberPage>.Terminator = .ends
    ) -> Pages<CursorOrder<NumberPage>> {
        Pages(CursorOrder(terminator: terminator), prefetch: prefetch) {
            try await server.page(after: $0)
        }
    }

    @Test(
        "A cursor's list is read to its end, every item once and in order",
        arguments: [1, 3, 4, 10], [0, 1, 2, 5])
    func cursor(items: Int, prefetch: Int) throws {
        let seen = Notes<Int>()
        let server = try run(items: items) { server, _ in
            for try await page in pages(server, prefetch: prefetch) {
                page.items.forEach(seen.append)
            }
        }
        #expect(seen.values == (1...items).reversed())
        #expect(server.asked.count == (items + 2) / 3 && server.runningMax == 1)
    }

    @Test("A reader that takes the last cursor for another one begins again, and again")
    func wrapAround() throws {
        let seen = Notes<Int>()
        let server = try run(items: 4) { server, _ in
            for try await page in pages(server, terminator: .isFollowed).prefix(5) {
                page.items.forEach(seen.append)
            }
        }
        #expect(seen.values == [4, 3, 2, 1, 4, 3, 2, 1, 4, 3, 2])
        #expect(server.asked == ["", "1", "0", "1", "0"])
    }

    @Test("A cursor meets no item twice because of it")
    func insertionByCursor() throws {
        let seen = Notes<Int>()
        _ = try run(items: 6) { server, _ in
            for try await page in pages(server) {
                page.items.forEach(seen.append)
                if page.items.first == 6 { server.insert(7) }
            }
        }
        #expect(seen.values == [6, 5, 4, 3, 2, 1])
    }

    @Test(
        "No more pages are loaded ahead of the reader than the bound allows", arguments: 0...4)
    func bound(prefetch: Int) throws {
        let server = try run(items: 30) { server, simulation in
            var reader = pages(server, prefetch: prefetch).makeAsyncIterator()
            _ = try await reader.next()
            try await simulation.sleep(nanoseconds: 60_000_000_000)
            #expect(server.asked.count == 1 + prefetch)
            _ = try await reader.next()
            try await simulation.sleep(nanoseconds: 60_000_000_000)
            #expect(server.asked.count == 2 + prefetch)
        }
        #expect(server.runningMax == 1)
    }

    @Test("No page is loaded before it is asked for", arguments: [0, 3])
    func lazy(prefetch: Int) throws {
        let server = try run(items: 30) { server, simulation in
            let reader = pages(server, prefetch: prefetch).makeAsyncIterator()
            try await simulation.sleep(nanoseconds: 60_000_000_000)
            withExtendedLifetime(reader) {}
        }
        #expect(server.asked.isEmpty)
    }

    /// Reading a page takes as long as loading one.
    @Test(
        "A page that is loaded ahead saves its reader the wait", arguments: [(0, 8.0), (1, 5.0)])
    func overlap(prefetch: Int, seconds: Double) throws {
        let elapsed = Notes<Double>()
        _ = try run(items: 12) { server, simulation in
            for try await _ in pages(server, prefetch: prefetch) {
                try await simulation.sleep(nanoseconds: 1_000_000_000)
            }
            elapsed.append(Double(simulation.now.nanoseconds) / 1e9)
        }
        #expect(elapsed.values == [seconds])
    }

    @Test("An error comes after the pages before it and ends the list", arguments: [0, 2])
    func failure(prefetch: Int) throws {
        let seen = Notes<String>()
        let server = try run(items: 9, failing: "3") { server, _ in
            var reader = pages(server, prefetch: prefetch).makeAsyncIterator()
            for _ in 0..<4 {
                do {
                    let page = try await reader.next()
                    seen.append(page.map { "\($0.items)" } ?? "end")
                } catch {
                    seen.append("\(error)")
                }
            }
        }
        #expect(seen.values == ["[9, 8, 7]", "[6, 5, 4]", "Failure()", "end"])
        #expect(server.asked == ["", "6", "3"])
    }

    @Test("A cancelled reader ends at once and cancels the load under way", arguments: [0, 2])
    func cancellation(prefetch: Int) throws {
        let ended = Notes<String>()
        let server = try run(items: 30) { server, simulation in
            let reading = Task {
                do {
                    for try await _ in pages(server, prefetch: prefetch) {}
                } catch {
                    ended.append("\(error) at \(simulation.now.nanoseconds)")
                }
            }
            try await simulation.sleep(nanoseconds: 2_500_000_000)
            reading.cancel()
        }
        #expect(ended.values == ["CancellationError() at 2500000000"])
        #expect(server.cancelled == 1 && server.asked.count == 3)
    }

    @Test("A reader that stops early cancels what is loaded ahead of it")
    func abandonment() throws {
        let server = try run(items: 30) { server, _ in
            for try await _ in pages(server, prefetch: 2) { break }
        }
        #expect(server.cancelled == 1 && server.asked.count == 2)
    }
}

import Synchronization
import Testing

import SquallApps
@testable import SquallCases

/// Tests with 이책저책 on a phone.
protocol ThisBookSuite {
    var phone: Phone { get }
    var app: ThisBookThatBook { get }
    /// How long the feed is given to open.
    var openingSeconds: Double { get }
}

extension ThisBookSuite {
    var server: ScriptedServer { phone.server }
    var rows: [ThisBookRow] { app.screen.withLock { $0.feeds[0].rows } }

    /// Opens the first feed with so many posts, free of charge unless said otherwise.
    func openFeed(_ posts: [String], next: String = "0") throws {
        server.serve("/v1/posts?limit=10&next=&", Answers.page(posts, next: next))
        let app = app
        #expect(
            try phone.run(seconds: openingSeconds) { await app.openFeed(tab: 0) } == .rendered)
    }
}

extension ThisBookFlowTests: ThisBookSuite {}
extension ThisBookHazardTests: ThisBookSuite {}

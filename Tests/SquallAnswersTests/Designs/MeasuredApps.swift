import SquallApps
import Testing

@testable import SquallAnswers

/// The apps as they are measured, once for every test that reads them.
///
/// Tasks, and no lazy values: a test that waits for one leaves its thread to other tests.
enum MeasuredApps {
    /// The answers of one app, in parts.
    struct App: Sendable {
        let answers: AppAnswers
        let payments: [PaymentCourse]
        let stories: [StoryResult]
    }

    /// Each app, in the order of ``DesignTable/apps``.
    static func all() async throws -> [App] {
        var all: [App] = []
        for name in DesignTable.apps { all.append(try await app(named: name)) }
        return all
    }

    static func app(named name: String) async throws -> App {
        try await #require(apps[name]).value
    }

    /// What users see on one app's screens in `ResponseTableTests`, and on all of OOTD's.
    static func responses(of name: String) async throws -> ResponseTable {
        try await #require(responses[name]).value
    }

    private static let apps = each { app in
        App(
            answers: try AppAnswers(of: app, in: .ofOnePhone, hasStories: false),
            payments: try PaymentCourse.all(of: DesignSubject(app)),
            stories: try StoryResult.all(of: app, in: .ofOnePhone))
    }

    private static let responses = each { app in
        let known = ResponseTableTests.known.filter { $0.app == app.name }.map(\.screen)
        return try ResponseTable(of: app, in: .ofOnePhone) {
            app.name == "ootd" || known.contains($0)
        }
    }

    private static func each<Value: Sendable>(
        _ measure: @escaping @Sendable (AppDescription) throws -> Value
    ) -> [String: Task<Value, any Error>] {
        let tasks = AppRegistry.all.map { app in (app.name, Task { try measure(app) }) }
        return Dictionary(uniqueKeysWithValues: tasks)
    }
}

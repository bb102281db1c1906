import SquallHTTP
import Testing

import SquallApps
import SquallClient
@testable import SquallCases

@Suite("Scrolly's requests")
struct ScrollyRequestTests {
    private let storage = AppStorage()

    @Test(
        "Each call has the contract's verb, path and query",
        arguments: [
            (AppCall<Scrolly>.refresh, "GET /v1/auth/refresh"),
            (
                .posts(limit: 20, productID: "novelInfo"),
                "GET /v1/posts?limit=20&product_id=novelInfo"
            ),
            (
                .hashtags(next: "0", limit: 50, productID: "novelEpisode", hashTag: "소설_1"),
                "GET /v1/posts/hashtags?hashTag=%EC%86%8C%EC%84%A4_1&limit=50&next=0"
                    + "&product_id=novelEpisode"
            ),
            (.bookmarks(next: nil, limit: 50), "GET /v1/posts/likes-2/me?limit=50"),
            (.bookmarks(next: "c", limit: 50), "GET /v1/posts/likes-2/me?limit=50&next=c"),
            (.file("uploads/posts/a.pdf"), "GET /v1/uploads/posts/a.pdf"),
            (.bookmark(postID: "p", true), "POST /v1/posts/p/like-2"),
            (.deleteComment(postID: "p", commentID: "c"), "DELETE /v1/posts/p/comments/c"),
        ])
    func addresses(target: AppCall<Scrolly>, expected: String) throws {
        let request = AppRequest<Scrolly>(target, storage: storage).asURLRequest()
        let query = request.url.query.map { "?" + $0 } ?? ""
        #expect("\(request.method) \(request.url.path)\(query)" == expected)
        #expect(request.value(forHTTPHeaderField: "SesacKey") != nil)
    }

    @Test("A request keeps a call without a box of its own, as it has three words for it")
    func size() { #expect(MemoryLayout<AppRequest<Scrolly>>.size <= 24) }

    @Test("A section shows covers of its first posts, or of the most viewed, the first of equals")
    func covers() throws {
        let posts = [3, 9, 1, 9, 0, 2, 5, 4].enumerated().map { place, views in
            #"{"post_id":"p","product_id":"n","content3":"\#(views)","createdAt":"c","likes":[],"#
                + #""creator":{"user_id":"u","nick":"n"},"files":["\#(place)"],"likes2":[],"#
                + #""hashTags":[],"comments":[]}"#
        }
        let text = #"{"data":["# + posts.joined(separator: ",") + #"],"next_cursor":"0"}"#
        let page = try FoundationJSONDecoder().decode(ScrollyPage.self, from: Body(text))
        for _ in 0..<2 {
            #expect(page.coversOfFirst.map(\.name) == ["0", "1", "2", "3", "4", "5"])
            #expect(page.coversOfMostViewed.map(\.name) == ["1", "3", "6", "7", "0", "5"])
        }
        #expect(page.cursor(after: "c") == "c")
    }

    @Test("Bodies are the contract's JSON, with sorted keys")
    func bodies() throws {
        let payment = AppCall<Scrolly>.payment(impUID: "imp_1", postID: "p")
        let request = AppRequest<Scrolly>(payment, storage: storage).asURLRequest()
        #expect(request.body.text == #"{"imp_uid":"imp_1","post_id":"p"}"#)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test("A request reads the stored tokens whenever it is built; only a refresh shows both")
    func tokens() throws {
        let call = AppRequest<Scrolly>(.bookmarks(next: nil, limit: 1), storage: storage)
        storage.access = "first"
        #expect(call.asURLRequest().value(forHTTPHeaderField: "Authorization") == "first")
        storage.access = "second"
        #expect(call.asURLRequest().value(forHTTPHeaderField: "Authorization") == "second")
        #expect(call.asURLRequest().value(forHTTPHeaderField: "Refresh") == nil)
        let refresh = AppRequest<Scrolly>(.refresh, storage: storage).asURLRequest()
        #expect(refresh.value(forHTTPHeaderField: "Refresh") == "")
    }

    @Test(
        "Statuses have Scrolly's own names; of the 2xx only 200 is a success to it",
        arguments: [
            (200, nil), (201, .networkError), (204, .networkError), (302, .redirectError),
            (400, .invalidRequest), (401, .invalidToken), (404, .clientError),
            (418, .expiredRefreshToken),
            (419, .expiredToken), (445, .unAuthorizedRequest), (500, .serverError),
            (503, .serverError),
        ] as [(Int, ScrollyError?)])
    func errors(status: Int, error: ScrollyError?) {
        #expect(ScrollyError(status: status) == error)
    }
}

@Suite("The registry of apps")
struct AppRegistryTests {
    @Test(
        "Every app has designs, journeys and steps that can be taken", arguments: AppRegistry.all)
    func wellFormed(app: AppDescription) {
        #expect(!app.designs.isEmpty && !app.journeys.isEmpty && !app.about.isEmpty)
        #expect(Set(app.journeys.map(\.name)).count == app.journeys.count)
        for journey in app.journeys {
            #expect(!journey.steps.isEmpty && !journey.about.isEmpty)
            #expect(journey.steps.allSatisfy { $0.probability > 0 && $0.probability <= 1 })
        }
    }

    @Test("Apps are found by name, and other names find none")
    func names() {
        #expect(AppRegistry.app(named: "scrolly")?.name == "scrolly")
        #expect(AppRegistry.app(named: "Scrolly") == nil)
    }

    @Test(
        "A deed is done by whatever came to something, a payment by money alone",
        arguments: [
            (StepOutcome.rendered, true, false), (.stale("feed"), true, false),
            (.wrong("row"), true, false), (.charged, true, true), (.chargedTwice, true, true),
            (.nothingToDo, false, false), (.toast("default"), false, false),
            (.lost("post"), false, false), (.loggedOut, false, false),
        ])
    func goals(outcome: StepOutcome, isDone: Bool, isPaid: Bool) {
        #expect(Goal("a").isDone(by: outcome) == isDone)
        #expect(Goal("a", booking: "book").isDone(by: outcome) == isPaid)
    }

    @Test("Only what people came for counts as a success")
    func outcomes() {
        let good: [StepOutcome] = [.rendered, .charged, .nothingToDo]
        let bad: [StepOutcome] = [.toast("x"), .stuck("splash"), .loggedOut]
        #expect(good.allSatisfy { $0.isSuccess } && !bad.contains { $0.isSuccess })
        #expect(StepOutcome.toast("expiredToken").label == "toast.expiredToken")
    }
}

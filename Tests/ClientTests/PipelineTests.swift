import HTTP
import Synchronization
import Testing

@testable import Client

@Suite("The way of a request")
struct PipelineTests {
    @Test("A valid answer is decoded after one send")
    func success() async {
        let stage = Stage(statuses: [200])
        let response = await stage.session().request(anywhere).validate()
            .serializingDecodable(Item.self).response
        #expect(response.value == Item(id: 7))
        #expect(response.response?.statusCode == 200)
        #expect(
            stage.log.lines == ["send /item user 3 step 0 request 0 attempt 0", "finished well"])
    }

    @Test(
        "Without a validator no status is an error, so only decoding can fail and ask the retrier")
    func noValidator() async {
        let stage = Stage(statuses: [419])
        let counter = Consultations(.doNotRetry)
        let request = stage.session(counter).request(anywhere)
        #expect(
            await request.serializingDecodable(Item.self).response.error?.label
                == "serialization.decoding")
        #expect(counter.count == 1)
    }

    @Test("A data answer with an accepted status is a success, whatever it says: nobody is asked")
    func dataNeverAsks() async {
        let stage = Stage(statuses: [419])
        let counter = Consultations(.retry)
        let response = await stage.session(counter).request(anywhere)
            .validate(statusCode: 200...445).serializingData().response
        #expect(response.response?.statusCode == 419 && response.error == nil)
        #expect(counter.count == 0)
    }

    @Test("A refused status asks the retrier twice when a serializer follows, once when none does")
    func consultations() async {
        let stage = Stage(statuses: [503])
        let counter = Consultations(.doNotRetry)
        let session = stage.session(counter)
        _ = await session.request(anywhere).validate().serializingDecodable(Item.self).response
        #expect(counter.count == 2)
        _ = await session.request(anywhere).validate().serializingResponse().response
        #expect(counter.count == 3)
    }

    @Test("The first validator that refuses wins, and validation never hides a transport error")
    func validators() async {
        let refusing = Stage(statuses: [500])
        let request = refusing.session().request(anywhere).validate(statusCode: 200...299)
            .validate { _, _, _ in .failure(TransportError(.cannotFindHost)) }
        #expect(await request.serializingData().response.error?.responseCode == 500)
        let broken = Stage { _, _ in .failure(TransportError(.timedOut)) }
        let response = await broken.session().request(anywhere).validate().serializingData()
            .response
        #expect(response.error?.label == "transport.timedOut")
    }

    @Test("A retry builds the request anew, so that it carries the newest token")
    func retryRebuilds() async {
        let stage = Stage(statuses: [419, 200])
        let builds = Builds()
        let session = stage.session(Consultations(.retry))
        let value = await session.request(builds).validate().serializingDecodable(Item.self).result
        #expect((try? value.get()) == Item(id: 7))
        #expect(
            stage.log.lines == [
                "send /item user 3 step 0 request 0 attempt 0 with token 1", "retrying 1",
                "send /item user 3 step 0 request 0 attempt 1 with token 2", "finished well",
            ])
    }

    @Test("A delayed retry waits exactly as long as the retrier says", arguments: [0.5, 1.0, 2.25])
    func delay(seconds: Double) async {
        let stage = Stage(statuses: [503, 200])
        let session = stage.session(Consultations(.retryWithDelay(seconds)))
        _ = await session.request(anywhere).validate().serializingData().response
        #expect(stage.log.count("sleep \(Int(seconds * 1e9))") == 1)
    }

    @Test("An error of the retrier's own wraps the original one, twice if it is asked twice")
    func retryError() async throws {
        let stage = Stage(statuses: [419])
        let session = stage.session(
            Consultations(.doNotRetryWithError(TransportError(.badServerResponse))))
        let error = await session.request(anywhere).validate().serializingData().response.error
        guard case .requestRetryFailed(_, let first as AFError)? = error,
            case .requestRetryFailed(_, let original as AFError) = first
        else {
            Issue.record("got \(String(describing: error))")
            return
        }
        #expect(original.responseCode == 419)
    }

    @Test("The session's interceptor adapts before the request's, which therefore wins")
    func interceptorOrder() async {
        let stage = Stage(statuses: [200])
        let session = stage.session(Stamp(token: "session"))
        _ = await session.request(anywhere, interceptor: Stamp(token: "request"))
            .serializingData().response
        #expect(stage.log.lines.first?.hasSuffix("with request") == true)
    }

    @Test("An adapter's failure is an error of its own kind, and the retrier is asked about it")
    func adaptationFails() async {
        let stage = Stage(statuses: [200])
        let counter = Consultations(.doNotRetry)
        let error = await stage.session(counter).request(anywhere, interceptor: Refusal())
            .serializingData().response.error
        #expect(error?.label == "requestAdaptationFailed")
        #expect(counter.count == 2 && stage.log.count("send") == 0)
    }

    @Test("A cancelled request asks nobody")
    func cancellation() async {
        let stage = Stage { _, _ in .failure(TransportError(.cancelled)) }
        let counter = Consultations(.retry)
        let error = await stage.session(counter).request(anywhere).serializingData().response.error
        #expect(error?.label == "explicitlyCancelled")
        #expect(counter.count == 0)
    }

    @Test("Requests are numbered per session, belong to the step under way, and know their cause")
    func causes() async {
        let stage = Stage(statuses: [419, 200, 200])
        let session = stage.session(Refreshing())
        session.beginStep(5)
        _ = await session.request(anywhere).validate().serializingDecodable(Item.self).response
        let sends = stage.log.lines.filter { $0.hasPrefix("send") }
        #expect(
            sends == [
                "send /item user 3 step 5 request 0 attempt 0",
                "send /refresh user 3 step 5 request 1 attempt 0 for request 0",
                "send /item user 3 step 5 request 0 attempt 1",
            ])
    }
}

/// A retrier that always decides the same at its first attempt, and counts how often it was asked.
final class Consultations: RequestInterceptor {
    private let decision: RetryResult
    private let asked = Mutex(0)

    init(_ decision: RetryResult) { self.decision = decision }

    var count: Int { asked.withLock { $0 } }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        asked.withLock { $0 += 1 }
        completion(decision)
    }
}

/// A router that numbers the tokens it reads.
private final class Builds: URLRequestConvertible {
    private let count = Mutex(0)

    func asURLRequest() -> URLRequest {
        var request = anywhere
        let number = count.withLock { count in
            count += 1
            return count
        }
        request.setValue("token \(number)", forHTTPHeaderField: "Authorization")
        return request
    }
}

private struct Stamp: RequestInterceptor {
    let token: String

    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        var request = urlRequest
        request.setValue(token, forHTTPHeaderField: "Authorization")
        completion(.success(request))
    }
}

private struct Refusal: RequestInterceptor {
    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        completion(.failure(TransportError(.notConnectedToInternet)))
    }
}

/// Refreshes through the same session with a callback, as the apps do.
private struct Refreshing: RequestInterceptor {
    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        let refresh = URLRequest(url: WebURL(origin: "http://host", path: "/refresh"))
        session.request(refresh).responseDecodable(of: Item.self) { _ in completion(.retry) }
    }
}

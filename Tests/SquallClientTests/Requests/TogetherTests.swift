import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Calls made together")
struct TogetherTests {
    /// What happens to the calls, of which the second is the unlucky one.
    enum Course: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case good, refused, unreadable, refusedTwice, lost, redirected, redirectedForEver, adapted

        var testDescription: String { rawValue }

        func reply(
            to request: URLRequest, _ cause: RequestCause
        ) throws(TransportError) -> FakeTransport.Reply {
            let number = request.url.path.dropFirst()
            let good = FakeTransport.Reply.status(200, String(number))
            guard number == "2" else { return good }
            switch self {
            case .good: return good
            case .refused: return cause.attempt == 0 ? .status(500) : good
            case .unreadable: return cause.attempt == 0 ? .status(200, "no number") : good
            case .refusedTwice: return .status(500)
            case .lost:
                if cause.attempt == 0 { throw TransportError(.timedOut) }
                return good
            case .redirected: return redirection(to: "/7")
            case .redirectedForEver: return redirection(to: "/2")
            case .adapted: return .status(200, request.headers["Adapted"] ?? "0")
            }
        }

        private func redirection(to path: String) -> FakeTransport.Reply {
            var reply = FakeTransport.Reply.status(302)
            reply.headers["Location"] = path
            return reply
        }
    }

    /// Tries a failed call once more, and leaves every request as it is.
    private struct Again: RequestInterceptor {
        let leavesRequests = true

        func retry(
            _ request: Request, for session: Session, dueTo error: any Error,
            completion: @escaping @Sendable (RetryResult) -> Void
        ) {
            completion(request.retryCount == 0 ? .retryWithDelay(1) : .doNotRetry)
        }
    }

    private struct Played: Equatable {
        var outcomes: [String] = []
        var events: [String] = []
        var causes: [String] = []
    }

    private func play(_ course: Course, isUntasked: Bool) throws -> Played {
        let world = Simulated(isUntasked: isUntasked) { request, cause throws(TransportError) in
            try course.reply(to: request, cause)
        }
        let session = world.session(Again())
        let header = Probe(adapt: { request, _ in
            var request = request
            request.headers["Adapted"] = "9"
            return request
        })
        let outcomes = Notes<String>()
        try world.run {
            let made = await session.together([1, 2, 3]) { number in
                session.request(
                    URLRequest(url: WebURL(origin: "http://test", path: "/\(number)")),
                    interceptor: course == .adapted && number == 2 ? header : nil
                ).validate().serializingDecodable(Int.self)
            } make: { place, response in
                "\(place): \(response.value.map(String.init) ?? response.error?.label ?? "")"
            }
            for outcome in made { outcomes.append(outcome) }
        }
        return Played(
            outcomes: outcomes.values, events: world.log.lines.sorted(),
            causes: world.transport.causes.map(\.description).sorted())
    }

    @Test("Without tasks they tell the same and end alike", arguments: Course.allCases)
    func alike(course: Course) throws {
        let played = try play(course, isUntasked: true)
        #expect(try played == play(course, isUntasked: false))
        let second =
            switch course {
            case .refusedTwice: "1: validation.status"
            case .redirected: "1: 7"
            case .redirectedForEver: "1: transport.httpTooManyRedirects"
            case .adapted: "1: 9"
            case .good, .refused, .unreadable, .lost: "1: 2"
            }
        #expect(played.outcomes == ["0: 1", second, "2: 3"])
    }

    @Test("They are for the screen that asks for them, and so is what a retrier sends")
    func screen() throws {
        let world = Simulated(isUntasked: true) { _, cause throws(TransportError) in
            cause.request == 0 && cause.attempt == 0 ? .status(500) : .status(200, "1")
        }
        let session = world.session(Refreshing())
        try world.run {
            await ScreenState.covered.asks {
                _ = await session.together([1, 2]) { _ in
                    session.request(URLRequest.test).validate().serializingDecodable(Int.self)
                } make: { _, response in
                    response.value
                }
            }
        }
        let causes = world.transport.causes
        #expect(causes.map(\.screen) == Array(repeating: .covered, count: 4))
        #expect(causes.map(\.refreshFor).compactMap(\.self) == [0])
    }

    /// Sends a request of its own before the failed one is sent again.
    private struct Refreshing: RequestInterceptor {
        let leavesRequests = true

        func retry(
            _ request: Request, for session: Session, dueTo error: any Error,
            completion: @escaping @Sendable (RetryResult) -> Void
        ) {
            session.request(URLRequest.test).responseData { _ in completion(.retry) }
        }
    }
}

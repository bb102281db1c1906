import SquallFormat

/// A starting package: a client, the app that runs it under load, a profile and a test.
///
/// It builds and runs as it is. The client refreshes its token for each refused call, so there is
/// something to find.
struct StartingPackage {
    /// The name of the package and its app; a Swift identifier.
    let name: String
    /// Where to get this package from: an address, or a path relative to the new folder.
    let origin: String

    /// The files by their paths in the new folder, in the order of writing.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", manifest), ("Sources/\(name)Client/API.swift", client),
            ("Sources/\(command)/\(name).swift", app), ("Sources/\(command)/main.swift", main),
            ("Tests/\(name)Tests/RefreshTests.swift", test), ("load.json", profile),
        ]
    }

    /// The name of the executable.
    var command: String { name.lowercased() + "-squall" }

    /// Whether the origin is an address, as opposed to a path.
    static func isAddress(_ origin: String) -> Bool {
        origin.contains("://") || origin.hasPrefix("git@")
    }

    /// The name of this package in the dependencies of products.
    private var package: String {
        let last = origin.split(separator: "/").last.map(String.init) ?? "Squall"
        return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }

    private var dependency: String {
        StartingPackage.isAddress(origin)
            ? #".package(url: "\#(origin)", branch: "main")"# : #".package(path: "\#(origin)")"#
    }

    private var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name)", platforms: [.macOS(.v15)],
            dependencies: [\(dependency)],
            targets: [
                // Your client. It imports nothing of Squall's; put your own in its place.
                .target(name: "\(name)Client"),
                .executableTarget(
                    name: "\(command)",
                    dependencies: [
                        "\(name)Client", .product(name: "SquallTool", package: "\(package)"),
                    ]),
                .testTarget(
                    name: "\(name)Tests",
                    dependencies: [
                        "\(name)Client", .product(name: "Squall", package: "\(package)"),
                    ]),
            ])

        """
    }

    private var client: String {
        """
        import Foundation

        #if canImport(FoundationNetworking)
            import FoundationNetworking
        #endif

        /// A client on URLSession, as anybody has one. Put your own in its place.
        public actor API {
            private let base: URL
            private let session: URLSession
            private let save: @Sendable (Tokens) -> Void
            private var tokens: Tokens

            public init(
                base: URL, session: URLSession, tokens: Tokens,
                save: @escaping @Sendable (Tokens) -> Void = { _ in }
            ) {
                self.base = base
                self.session = session
                self.tokens = tokens
                self.save = save
            }

            public func posts() async throws -> Data { try await get("posts") }

            public func profile() async throws -> Data { try await get("profile") }

            public func signIn(name: String, password: String) async throws {
                try await keep(
                    token(["grant_type": "password", "username": name, "password": password]))
            }

            private func get(_ path: String) async throws -> Data {
                var (data, status) = try await send(path)
                if status == 401 {
                    // Each call that is refused refreshes, so two at once refresh twice.
                    try await refresh()
                    (data, status) = try await send(path)
                }
                guard status == 200 else { throw APIError(status: status) }
                return data
            }

            private func refresh() async throws {
                try await keep(
                    token(["grant_type": "refresh_token", "refresh_token": tokens.refresh]))
            }

            private func keep(_ new: Tokens) {
                tokens = new
                save(new)
            }

            private func send(_ path: String) async throws -> (Data, Int) {
                var request = URLRequest(url: base.appendingPathComponent(path))
                request.setValue("Bearer \\(tokens.access)", forHTTPHeaderField: "Authorization")
                let (data, response) = try await session.data(for: request)
                return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
            }

            private func token(_ form: [String: String]) async throws -> Tokens {
                var request = URLRequest(url: base.appendingPathComponent("oauth/token"))
                request.httpMethod = "POST"
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
                request.httpBody = try JSONEncoder().encode(form)
                let (data, response) = try await session.data(for: request)
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                guard status == 200 else { throw APIError(status: status) }
                let answer = try JSONDecoder().decode(Answer.self, from: data)
                return Tokens(
                    access: answer.access_token, refresh: answer.refresh_token ?? tokens.refresh)
            }
        }

        /// What a sign-in or a refresh is answered; a server that does not rotate leaves one out.
        private struct Answer: Decodable {
            let access_token: String
            let refresh_token: String?
        }

        /// What an app keeps of a sign-in.
        public struct Tokens: Sendable {
            public var access: String
            public var refresh: String

            public init(access: String, refresh: String) {
                self.access = access
                self.refresh = refresh
            }
        }

        /// The server said no.
        public struct APIError: Error {
            public let status: Int
        }

        """
    }

    private var app: String {
        """
        import Foundation
        import \(name)Client
        import SquallApps
        import SquallClient
        import SquallTool

        /// One person's running app. What it keeps from one start to the next lies in the device.
        struct \(name): SimulatedApp {
            static let name = "\(name.lowercased())"
            static let origin = "https://api.example.com"
            static let journeys: [Journey<\(name)>] = [
                Journey("look", about: "Opens the main screen.", steps: [
                    Step("main") { app in
                        async let posts = app.api.posts()
                        async let profile = app.api.profile()
                        _ = try await (posts, profile)
                    }
                ])
            ]

            private let device: SimulatedDevice
            private let api: API

            init(device: SimulatedDevice) {
                self.device = device
                let storage = device.storage
                let tokens = Tokens(
                    access: storage.string(forKey: "access") ?? "",
                    refresh: storage.string(forKey: "refresh") ?? "")
                guard let base = URL(string: Self.origin) else { preconditionFailure(Self.origin) }
                api = API(base: base, session: device.session, tokens: tokens) { new in
                    storage.set(new.access, forKey: "access")
                    storage.set(new.refresh, forKey: "refresh")
                }
            }

            static func restore(_ account: StoredAccount, on device: SimulatedDevice) {
                device.storage.set(account.accessToken, forKey: "access")
                device.storage.set(account.refreshToken, forKey: "refresh")
            }

            /// What explore may see of the storage, so that it can tell one token from another.
            static func storedTokens(on device: SimulatedDevice) -> TokenPair {
                TokenPair(
                    access: device.storage.string(forKey: "access") ?? "",
                    refresh: device.storage.string(forKey: "refresh") ?? "")
            }

            func signIn() async throws {
                let (name, password) = (device.credentials.email, device.credentials.password)
                try await api.signIn(name: name, password: password)
            }

            func outcome(of error: any Error) -> StepOutcome {
                (error as? APIError)?.status == 400 ? .loggedOut : .toast("\\(type(of: error))")
            }
        }

        """
    }

    private var main: String {
        """
        import SquallServices
        import SquallTool

        // Every command of squall, with your app and your server: swift run \(command) help
        SquallTool.main(
            apps: [\(name).self],
            services: [
                ServiceKind(
                    TokenService(
                        .bearer,
                        routes: [.get("/posts", json: "[]"), .get("/profile", json: "{}")]))
            ])

        """
    }

    private var test: String {
        """
        import Foundation
        import \(name)Client
        import Squall
        import Testing

        #if canImport(FoundationNetworking)
            import FoundationNetworking
        #endif

        @Test func mainScreenRefreshesOnce() throws {
            let run = try simulate(seed: 1) { world in
                let far = world.mount(
                    TokenService(.bearer, routes: [.get("/posts"), .get("/profile")]))
                let old = far.expiredTokens()
                let api = API(
                    base: far.url, session: URLSession(configuration: far.urlSessionConfiguration),
                    tokens: Tokens(access: old.access, refresh: old.refresh))
                async let posts = api.posts()
                async let profile = api.profile()
                _ = try await (posts, profile)
            }
            #expect(run.refreshes == 1, "\\(run)")
        }

        """
    }

    private var profile: String {
        """
        // A hundred people on your client: swift run \(command) run load.json
        {
          "schemaVersion": 1,
          "question": "What does an expired token cost our backend?",
          "duration": "10m",
          "populations": [
            {
              "name": "people",
              "app": "\(name.lowercased())",
              "users": 100,
              "journeys": { "look": 1 },
              "thinkTime": { "exponential": { "mean": "20s" } },
              "away": { "exponential": { "mean": "2m" } },
              "initialTokens": "aged"
            }
          ],
          "backend": {
            "tokens": { "accessLifetime": "2m", "refreshLifetime": "6h" },
            "network": { "up": "40ms", "down": "40ms" },
            "server": { "workers": 16, "serviceTime": { "exponential": { "mean": "5ms" } } }
          },
          // What \(command) explore load.json plays in many orders: the screen opens when its token
          // has expired, and once more while that one refreshes.
          "explore": {
            "acts": [
              { "user": 0, "at": "3m", "do": "step", "what": "look.main" },
              { "user": 0, "at": "3m50ms", "do": "step", "what": "look.main" }
            ]
          },
          "thresholds": {
            "hangs": ["count==0"],
            "step_failed": ["rate<0.01"],
            "refreshes_per_expiry": ["value<=1.05"]
          }
        }

        """
    }
}

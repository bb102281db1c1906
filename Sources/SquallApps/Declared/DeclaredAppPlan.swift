public import SquallHTTP

/// An app that a profile declares: screens made of calls, journeys over screens, token designs.
public struct DeclaredAppPlan: Sendable {
    /// The name by which populations choose it.
    public var name: String
    /// What it is, in one sentence.
    public var about: String
    /// The origin of its service.
    public var origin: String
    /// The form in which it and its service exchange tokens.
    public var wire: TokenForm
    /// Its token designs; the first is the default.
    public var designs: [(name: String, design: DeclaredTokenDesign)]
    /// Designs of public clients, which it can be given too.
    public var presets: [(name: String, design: DeclaredTokenDesign)]
    /// Its screens, to which journeys refer by their positions.
    public var screens: [Screen]
    /// The ways through the app that profiles give weights.
    public var journeys: [Journey]
    /// The members that calls take from the objects of lists, by the lists' endpoints.
    let picked: [String: Set<[String]>]

    /// An app of its parts.
    public init(
        name: String, about: String, origin: String, wire: TokenForm,
        designs: [(name: String, design: DeclaredTokenDesign)], screens: [Screen],
        journeys: [Journey]
    ) {
        self.name = name
        self.about = about
        self.origin = origin
        self.wire = wire
        self.designs = designs
        presets = []
        self.screens = screens
        self.journeys = journeys
        let picks = screens.flatMap { $0.groups.flatMap { $0.flatMap(\.picks) } }
        picked = Dictionary(grouping: picks, by: \.list).mapValues { Set($0.map(\.member)) }
    }

    /// A screen: groups of calls, one group after the other, the calls of each at once.
    public struct Screen: Sendable {
        let name: String
        let groups: [[Call]]

        /// True if the user signs out on it.
        public var signsOut: Bool { groups.contains { $0.contains { $0.purpose == .signOut } } }

        var callCount: Int {
            groups.reduce(0) { sum, group in group.reduce(sum) { $0 + $1.times } }
        }

        /// A screen by its name.
        public init(_ name: String, groups: [[Call]]) {
            self.name = name
            self.groups = groups
        }
    }

    /// A call of a screen.
    public struct Call: Sendable {
        let name: String
        let method: HTTPMethod
        let path: String
        let needsToken: Bool
        let paging: Paging
        let bodyBytes: Int
        let kind: CallKind
        let passesDesign: Bool
        let times: Int
        /// The rest of its request; `nil` where only its size is known.
        var request: Request?
        /// How the pages of its list are asked for and read.
        var pages = Pages.usual
        /// The variables of its path that name an object of a list.
        var picks: [Pick] = []
        /// What it is for.
        private(set) var purpose = Purpose.content

        /// What a call of a screen is for.
        enum Purpose {
            case content
            /// The app takes new tokens.
            case signIn
            /// The user leaves.
            case signOut
        }

        /// A call of an endpoint.
        ///
        /// - Parameters:
        ///   - name: the endpoint's name.
        ///   - method: its verb.
        ///   - path: its path with variables in braces.
        ///   - needsToken: true if it shows the access token.
        ///   - paging: the page of a list that it asks for.
        ///   - bodyBytes: how many bytes the request carries.
        ///   - kind: how the app waits for the response.
        ///   - passesDesign: true if the token design sees a refusal; pictures are often loaded
        ///     without it.
        ///   - times: how often it is made at once.
        public init(
            _ name: String, _ method: HTTPMethod, _ path: String, needsToken: Bool,
            paging: Paging, bodyBytes: Int, kind: CallKind, passesDesign: Bool,
            times: Int = 1
        ) {
            self.name = name
            self.method = method
            self.path = path
            self.needsToken = needsToken
            self.paging = paging
            self.bodyBytes = bodyBytes
            self.kind = kind
            self.passesDesign = passesDesign
            self.times = times
        }

        /// The sign-in as a call of a screen, for users who sign in while they have tokens, too.
        public static func signIn(_ call: TokenCall) -> Call { Call(call, .signIn) }

        /// The sign-out as a call of a screen, whose step leaves.
        public static func signOut(_ call: TokenCall) -> Call { Call(call, .signOut) }

        private init(_ call: TokenCall, _ purpose: Purpose) {
            self.init(
                call.name, call.method, call.path, needsToken: false, paging: .none, bodyBytes: 0,
                kind: .status, passesDesign: false)
            self.purpose = purpose
        }

        /// A copy with the rest of its request, and the names of its list's pages.
        public func with(_ request: Request?, _ pages: Pages, _ picks: [Pick] = []) -> Call {
            var call = self
            (call.request, call.pages, call.picks) = (request, pages, picks)
            return call
        }

        /// A variable of a path whose value is a member of an object that a list showed last.
        public struct Pick: Sendable {
            let variable: String
            let list: String
            let member: [String]

            /// A variable, the endpoint of the list, and the names that lead to the member.
            public init(_ variable: String, from list: String, _ member: [String]) {
                (self.variable, self.list, self.member) = (variable, list, member)
            }
        }

        /// The parts of a call's request.
        public struct Request: Sendable {
            let query: String
            let headers: [(name: String, value: String)]
            let path: @Sendable (_ variable: String, _ number: Int) -> String
            let body: (type: String, text: @Sendable (Int) -> [UInt8])?

            /// A request of its parts; the number chooses the object that it is about.
            public init(
                query: String, headers: [(name: String, value: String)],
                path: @escaping @Sendable (_ variable: String, _ number: Int) -> String,
                body: (type: String, text: @Sendable (Int) -> [UInt8])?
            ) {
                (self.query, self.headers, self.path, self.body) = (query, headers, path, body)
            }
        }

        /// Names of a list's pages.
        public struct Pages: Sendable {
            let parameter: String?
            let firstPage: Int
            /// The names that lead to the objects in a response, from outside in.
            let rows: [String]
            /// The place of the next page's name: in the response, or in its header `Link`.
            let next: Next

            /// The place of what names the next page.
            public enum Next: Sendable, Hashable {
                case member([String]), address([String]), link, none
            }

            /// The names of a declared service that says nothing else.
            public static let usual = Pages(
                nil, firstPage: 1, rows: ["data"], next: .member(["next"]))

            /// Names of one's own.
            public init(_ parameter: String?, firstPage: Int, rows: [String], next: Next) {
                (self.parameter, self.firstPage) = (parameter, firstPage)
                (self.rows, self.next) = (rows, next)
            }

            var areUsual: Bool { rows == ["data"] && next == .member(["next"]) }
        }

        /// The page of a list that a call asks for.
        public enum Paging: Sendable, Hashable {
            /// None: it is no list.
            case none
            /// The first.
            case first
            /// The one behind the last that was loaded, by that page's cursor.
            case nextByCursor
            /// The page behind the last that was loaded, by the number of objects loaded so far.
            case nextByOffset
            /// The page behind the last that was loaded, by its number.
            case nextByPage
        }
    }

    /// A way through the app.
    public struct Journey: Sendable {
        let name: String
        let about: String
        let steps: [(screen: Int, step: StepDescription)]

        /// A journey over screens, by their positions in the app's list.
        public init(
            _ name: String, about: String, steps: [(screen: Int, step: StepDescription)]
        ) {
            self.name = name
            self.about = about
            self.steps = steps
        }
    }
}

extension DeclaredAppPlan {
    /// The endpoints whose responses it decodes, each with the place of a page's objects in them;
    /// `nil` where any JSON will do.
    public var decoded: [String: [String]?] {
        let calls = screens.flatMap { $0.groups.flatMap(\.self) }
        let decoding = calls.filter { [.model, .account, .upload].contains($0.kind) }
        return Dictionary(decoding.map { ($0.name, $0.paging == .none ? nil : $0.pages.rows) }) {
            $0 ?? $1
        }
    }

    /// A call that an app waits for in this way, and its screen; calls that test the token design
    /// come first.
    ///
    /// Where no call is an upload, another write stands for one.
    func call(of kind: CallKind) -> (Call, screen: String)? {
        let all = screens.flatMap { screen in
            screen.groups.flatMap { $0 }.map { ($0, screen.name) }
        }
        var calls = all.filter { $0.0.kind == kind }
        if calls.isEmpty, kind == .upload {
            calls = all.filter { ![.get, .head].contains($0.0.method) }
        }
        return calls.first { $0.0.needsToken && $0.0.passesDesign }
            ?? calls.first { $0.0.needsToken } ?? calls.first
    }
}

extension AppDescription {
    /// An app that a profile declares.
    public init(_ plan: DeclaredAppPlan) {
        self.init(
            name: plan.name, about: plan.about, designs: plan.designs.map(\.name),
            journeys: plan.journeys.map {
                JourneyDescription(
                    name: $0.name, about: $0.about, goal: nil, launch: .start,
                    steps: $0.steps.map { screen, step in
                        var step = step
                        step.calls = plan.screens[screen].callCount
                        return step
                    })
            }, origin: plan.origin,
            callKinds: CallKind.allCases.filter { plan.call(of: $0)?.0.needsToken ?? false },
            install: { DeclaredApp(plan, on: $0, design: $1) })
        presets = plan.presets.map(\.name)
    }
}

import SquallApps
import SquallFormat
import SquallHTTP
import SquallServices

/// Apps as profiles declare them, over a service whose calls may not be known yet.
struct DeclaredApps {
    /// The service, when it is known.
    let service: DeclaredService?
    /// Names that apps have already.
    let taken: [String]

    /// A list of apps.
    var format: SettingFormat<[DeclaredAppPlan]> {
        // Nothing is drawn from it: a drawn name would lead nowhere.
        SettingFormat.list(of: .section { app(&$0) }, 0...20).described { $0.domain = .unknown }
    }

    private func app(_ read: inout SettingsReader) -> DeclaredAppPlan {
        let name = read("name", .name, "The name by which populations ask for it.")
        if taken.contains(name) {
            let reason = "\"\(name)\" is an app of this package's already"
            read.refuse("name", reason)
        }
        let about = read(
            "about", .text(0...200), otherwise: "An app that a profile declares.",
            "What it is, in one sentence.")
        var designs: [(name: String, design: DeclaredTokenDesign)] = [
            (
                "asBuilt",
                read(
                    "tokens", .section { DeclaredTokenDesign(&$0) }, otherwise: [:],
                    "Its token design asBuilt; what is not said is as it should be.")
            )
        ]
        designs += read(
            "designs", .list(of: .section { named(&$0) }, 0...20), otherwise: [],
            "Token designs to compare it with, beside the design \"reference\", which is right.")
        designs.append(("reference", .reference))
        checkNames(designs.map(\.0), in: "designs", from: 1, &read)
        let screens = read(
            "screens", .list(of: .section { screen(&$0) }, 1...200),
            "Its screens, each a list of groups of calls.")
        let names = screens.map(\.0)
        checkNames(names, in: "screens", &read)
        let journeys = read(
            "journeys", .list(of: .section { journey(&$0, over: screens) }, 1...100),
            "Its journeys: paths over its screens.")
        checkNames(journeys.map(\.0), in: "journeys", &read)
        var plan = DeclaredAppPlan(
            name: name, about: about, origin: service?.origin ?? "",
            wire: service?.form ?? .bearer, designs: designs, screens: screens.map(\.1),
            journeys: journeys.map(\.1))
        plan.presets = ClientPreset.designs.filter { preset in
            !designs.contains { $0.name == preset.name }
        }
        return plan
    }

    private func checkNames(
        _ names: [String], in key: String, from first: Int = 0, _ read: inout SettingsReader
    ) {
        for (index, name) in names.enumerated().dropFirst(first)
        where names[..<index].contains(name) {
            let place = read.path.appending(key)
            guard read.isSound(at: place), !name.isEmpty else { continue }
            read.report(at: place, "\(place): two of them are called \"\(name)\"")
        }
    }

    private func named(
        _ read: inout SettingsReader
    ) -> (name: String, design: DeclaredTokenDesign) {
        (
            read("name", .name, "The design's name."),
            read("tokens", .section { DeclaredTokenDesign(&$0) }, otherwise: [:], "The design.")
        )
    }
}

extension DeclaredApps {
    private func screen(
        _ read: inout SettingsReader
    ) -> (String, DeclaredAppPlan.Screen) {
        let name = read("name", .name, "What steps and results call it.")
        let groups = read(
            "calls", .list(of: .list(of: call, 1...100), 1...100),
            "Groups of calls, one after the other; the calls of a group are made at once.")
        return (name, DeclaredAppPlan.Screen(name, groups: groups.map { $0.compactMap(\.self) }))
    }

    /// A call: the name of an endpoint, or a section with more.
    private var call: SettingFormat<DeclaredAppPlan.Call?> {
        let named = endpoint.map { call(of: $0, .model, isNext: false, passesDesign: true, 1) }
        return SettingFormat.section { call(&$0) }.orText(named).described {
            $0.words = "name of an endpoint, or object"
            $0.schema = ["anyOf": .array([["type": "string"], .object($0.schema)])]
        }
    }

    private func call(_ read: inout SettingsReader) -> DeclaredAppPlan.Call? {
        let name = read(
            "endpoint", endpoint,
            "The endpoint that is called; logIn signs in and takes tokens, logOut signs out.")
        let kind = read(
            "reads", .choice(CallKind.self), otherwise: "model",
            "How the app waits for the response, which decides what it notices.")
        let page = read(
            "page", .words(["first", "next"]), otherwise: "first",
            "Of a list: its first page, or the one behind the last that came.")
        let passes = read(
            "design", .flag, otherwise: .bool(true),
            "Whether the token design is told of refusals; pictures are often loaded beside it.")
        let times = read(
            "times", .integer(1...1_000), otherwise: 1, "How often it is made at once.")
        return call(of: name, kind, isNext: page == "next", passesDesign: passes, times)
    }

    private var endpoint: SettingFormat<String> {
        let known = service?.endpoints.map(\.name)
        // An endpoint whose name cannot be read may be the one that is meant.
        let names = known.flatMap {
            $0.contains("") ? nil : $0 + [Self.signIn, Self.signOut]
        }
        return SettingFormat.words(names, described: []).described {
            $0.words = "name of an endpoint"
            $0.schema = ["type": "string"]
        }
    }

    /// The names of the sign-in and the sign-out among the calls of screens, if no endpoint has
    /// them.
    private static let (signIn, signOut) = ("logIn", "logOut")

    private func call(
        of name: String, _ kind: CallKind, isNext: Bool, passesDesign: Bool, _ times: Int
    ) -> DeclaredAppPlan.Call? {
        guard let endpoint = service?.endpoints.first(where: { $0.name == name }) else {
            return service.flatMap {
                name == Self.signIn
                    ? .signIn($0.form.logIn)
                    : name == Self.signOut ? .signOut($0.form.logOut) : nil
            }
        }
        let paging: DeclaredAppPlan.Call.Paging =
            switch (isNext, endpoint.list?.paging) {
            case (true, .cursor?): .nextByCursor
            case (true, .offset?): .nextByOffset
            case (true, .page?): .nextByPage
            case (_, nil): .none
            case (false, _?), (true, _?): .first
            }
        return DeclaredAppPlan.Call(
            name, endpoint.method, endpoint.path, needsToken: endpoint.needsToken, paging: paging,
            bodyBytes: endpoint.requestBytes, kind: kind, passesDesign: passesDesign,
            times: times
        ).with(
            endpoint.sent.map { .init($0) }, .init(endpoint),
            endpoint.picks.map { .init($0.variable, from: $0.list, $0.member) })
    }
}

extension DeclaredApps {
    private typealias Step = (screen: Int, step: StepDescription)

    private func journey(
        _ read: inout SettingsReader, over screens: [(name: String, DeclaredAppPlan.Screen)]
    ) -> (String, DeclaredAppPlan.Journey) {
        let name = read("name", .name, "The name by which populations give it a weight.")
        let about = read(
            "about", .text(0...200), otherwise: "A journey that a profile declares.",
            "What the user does, in one sentence.")
        let steps = read(
            "steps", .list(of: step(over: screens.map(\.name)), 1...1_000),
            "The screens in order, each opened by a step of that name."
        ).map { screen, step -> Step in
            // Nobody is signed in behind a sign-out.
            screens.isEmpty || !screens[screen].1.signsOut
                ? (screen, step) : (screen, step.leaving)
        }
        return (name, DeclaredAppPlan.Journey(name, about: about, steps: steps))
    }

    private func step(over screens: [String]) -> SettingFormat<Step> {
        let screen = SettingFormat<String>.words(screens.isEmpty ? nil : screens, described: [])
            .described {
                $0.words = "name of a screen"
                $0.schema = ["type": "string"]
            }
        let named = screen.map { Self.step($0, among: screens, 1, false, .always, false) }
        return SettingFormat.section { read in
            Self.step(
                read("screen", screen, "The screen that it opens."), among: screens,
                read(
                    "probability", .number(0...1), otherwise: 1,
                    "Probability that a user on the journey takes it."),
                read(
                    "leadsOn", .flag, otherwise: .bool(false),
                    "Whether the app goes on to the next step by itself."),
                Self.occasions[
                    read(
                        "when", .words(["always", "coldStart", "signedIn"]), otherwise: "always",
                        "On which visits: all, those that start the app, those behind a sign-in."
                    )] ?? .always,
                read(
                    "leaves", .flag, otherwise: .bool(false),
                    "Whether the user signs out by it, or closes the account."))
        }.orText(named).described {
            $0.words = "name of a screen, or object"
            $0.schema = ["anyOf": .array([["type": "string"], .object($0.schema)])]
        }
    }

    private static func step(
        _ screen: String, among screens: [String], _ probability: Double, _ leadsOn: Bool,
        _ condition: StepCondition, _ leaves: Bool
    ) -> Step {
        (
            screens.firstIndex(of: screen) ?? 0,
            StepDescription(
                name: screen, probability: probability, leadsOn: leadsOn, condition: condition,
                leaves: leaves)
        )
    }

    /// The occasions of steps, beside all visits, by their names.
    private static let occasions: [String: StepCondition] = [
        "coldStart": .coldStart, "signedIn": .signedIn,
    ]
}

extension DeclaredAppPlan.Call.Request {
    fileprivate init(_ parts: SentParts) {
        self.init(
            query: parts.query, headers: parts.headers,
            path: { parts.value(of: $0, number: $1) },
            body: parts.type.map { ($0, { parts.body(number: $0) }) })
    }
}

extension DeclaredAppPlan.Call.Pages {
    fileprivate init(_ endpoint: DeclaredEndpoint) {
        self = .usual
        guard let list = endpoint.list else {
            if let rows = endpoint.pageNames?.rows {
                self.init(nil, firstPage: 1, rows: rows, next: .none)
            }
            return
        }
        guard let names = endpoint.pageNames else {
            if list.parameter != list.paging.rawValue {
                self.init(
                    list.parameter, firstPage: list.firstPage, rows: ["data"],
                    next: .member(["next"]))
            }
            return
        }
        let named = names.next.map { name, path -> Next in
            name == "nextURL" ? .address(path) : .member(path)
        }
        self.init(
            list.parameter, firstPage: list.firstPage, rows: names.rows,
            next: named ?? (endpoint.hasLink ? .link : .none))
    }
}

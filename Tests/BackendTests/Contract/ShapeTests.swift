import HTTP
import Testing

@testable import Backend

@Suite("The shapes of answers")
struct ShapeTests {
    @Test("Every call succeeds with 200 and a body of its schema", arguments: Operation.all)
    func success(operation: Operation) throws {
        let scene = try Scene()
        let answer = scene.answer(scene.attempt(operation))
        #expect(answer.status == 200, "\(operation.path) \(answer.message)")
        switch operation.output {
        case .empty: #expect(answer.body.isEmpty)
        case .bytes: #expect(answer.body.count > 100_000)
        case .json(let name):
            Self.check(
                try answer.object(), .object(name), operation.generation, "\(operation.endpoint)")
        }
    }

    @Test(
        "With every optional value set, answers still have their schemas",
        arguments: Generation.allCases)
    func everythingSet(generation: Generation) throws {
        let scene = try Scene()
        var account = scene.server.contract.users.account(0)
        (account.phoneNumber, account.birthDay) = ("010", "free text")
        account.profileImage = "uploads/profiles/1.jpg"
        scene.server.contract.users.update(0, to: account)
        _ = scene.server.contract.users.follow(0, by: 2)
        for operation in Operation.all where operation.generation == generation {
            guard case .json(let schema) = operation.output else { continue }
            let answer = scene.answer(scene.attempt(operation))
            guard answer.status == 200 else { continue }
            Self.check(try answer.object(), .object(schema), generation, "\(operation.endpoint)")
        }
    }

    @Test("A schema's check finds missing, unknown and mistyped members")
    func checkCanFail() {
        let like: [[String: Any]] = [
            [:], ["like_status": true, "more": 1], ["like_status": [Int]()], ["like_status": "x"],
        ]
        for value in like {
            withKnownIssue {
                Self.check(value, .object("Like"), .year2024, "like")
            }
        }
    }

    /// Holds a value against a type of the contract: nothing missing, nothing else, nothing null.
    private static func check(
        _ value: Any, _ type: Member.ValueType, _ generation: Generation, _ place: String
    ) {
        switch type {
        case .text, .file: #expect(value is String, "\(place)")
        case .integer: #expect(value is Int, "\(place)")
        case .flag: #expect(value is Bool, "\(place)")
        case .list(let element):
            #expect(value is [Any], "\(place)")
            for item in value as? [Any] ?? [] { check(item, element, generation, place + "[]") }
        case .object(let name):
            let members = Schema.all(of: generation).first { $0.name == name }?.members
            check(value as? [String: Any] ?? [:], members ?? [], generation, place)
        }
    }

    private static func check(
        _ object: [String: Any], _ members: [Member], _ generation: Generation, _ place: String
    ) {
        let required = Set(members.filter(\.isRequired).map(\.name))
        #expect(required.isSubset(of: object.keys), "\(place) lacks a member")
        #expect(Set(object.keys).isSubset(of: members.map(\.name)), "\(place) has another member")
        for member in members {
            guard let value = object[member.name] else { continue }
            check(value, member.type, generation, "\(place).\(member.name)")
        }
    }
}

import SquallHTTP
import Testing

import SquallBackend
@testable import SquallCases

@Suite("The shapes of answers")
struct ShapeTests {
    @Test("Every call succeeds with 200 and a body of its schema", arguments: Operation.all)
    func success(operation: Operation) throws {
        let scene = try Scene()
        let answer = scene.answer(scene.attempt(operation))
        #expect(answer.status == 200, "\(operation.path) \(answer.message)")
        switch try #require(operation.output) {
        case .empty: #expect(answer.body.isEmpty)
        case .bytes: #expect(answer.body.count > 100_000)
        case .json(let name):
            let body = try answer.object()
            let place = "\(operation.name)"
            #expect(Self.problems(of: body, .object(name), operation.year, place) == [])
        }
    }

    @Test(
        "With every optional value set, answers still have their schemas",
        arguments: ContractYear.allCases)
    func everythingSet(year: ContractYear) throws {
        let scene = try Scene()
        var account = scene.server.contract.users.account(0)
        (account.phoneNumber, account.birthDay) = ("010", "free text")
        account.profileImage = "uploads/profiles/1.jpg"
        scene.server.contract.users.update(0, to: account)
        _ = scene.server.contract.users.follow(0, by: 2)
        for operation in Operation.all where operation.year == year {
            guard case .json(let schema) = operation.output else { continue }
            let answer = scene.answer(scene.attempt(operation))
            guard answer.status == 200 else { continue }
            let (body, place) = (try answer.object(), "\(operation.name)")
            #expect(Self.problems(of: body, .object(schema), year, place) == [])
        }
    }

    @Test(
        "A schema's check finds missing, unknown and mistyped members",
        arguments: [
            (#"{}"#, "like lacks like_status"),
            (#"{"like_status":true,"more":1}"#, "like has more"),
            (#"{"like_status":[]}"#, "like.like_status is no flag"),
            (#"{"like_status":"x"}"#, "like.like_status is no flag"),
        ])
    func checkCanFail(body: String, problem: String) throws {
        let answer = try Answer.ok(Body(body)).object()
        #expect(Self.problems(of: answer, .object("Like"), .year2024, "like") == [problem])
    }

    /// Where a value is not of a type of the contract: nothing may be missing, more, or null.
    private static func problems(
        of value: Any, _ type: Member.ValueType, _ year: ContractYear, _ place: String
    ) -> [String] {
        switch type {
        case .text, .file: value is String ? [] : ["\(place) is no text"]
        case .integer: value is Int ? [] : ["\(place) is no integer"]
        case .flag: value is Bool ? [] : ["\(place) is no flag"]
        case .list(let element):
            (value as? [Any]).map { items in
                items.flatMap { problems(of: $0, element, year, place + "[]") }
            } ?? ["\(place) is no list"]
        case .object(let name):
            (value as? [String: Any]).map { object in
                let schema = Schema.all(of: year).first { $0.name == name }
                return problems(of: object, schema?.members ?? [], year, place)
            } ?? ["\(place) is no object"]
        }
    }

    private static func problems(
        of object: [String: Any], _ members: [Member], _ year: ContractYear, _ place: String
    ) -> [String] {
        let required = members.filter(\.isRequired).map(\.name)
        let missing = required.filter { object[$0] == nil }.map { "\(place) lacks \($0)" }
        let unknown = object.keys.filter { key in !members.contains { $0.name == key } }
        let mistyped = members.flatMap { member in
            object[member.name].map {
                problems(of: $0, member.type, year, "\(place).\(member.name)")
            } ?? []
        }
        return missing + unknown.sorted().map { "\(place) has \($0)" } + mistyped
    }
}

import SquallLab
import Testing

@testable import SquallLive

@Suite("Files of accounts")
struct AccountFileTests {
    private static let two = [
        UserAccount(email: "a@x.test", password: "one, \"two\""),
        UserAccount(email: "b@x.test", password: "p"),
    ]

    @Test(
        "CSV with or without a header, quoted or not, and JSON lines give the same accounts",
        arguments: [
            "a@x.test,\"one, \"\"two\"\"\"\nb@x.test,p",
            "email,password\na@x.test,\"one, \"\"two\"\"\"\r\n\r\nb@x.test,p\r\n",
            "id,Password,Email\n1,\"one, \"\"two\"\"\",a@x.test\n2,p,b@x.test\n",
            #"""
            {"email": "a@x.test", "password": "one, \"two\""}
            {"password": "p", "username": "b@x.test", "more": 1}
            """#,
        ])
    func reads(text: String) throws { #expect(try AccountFile.accounts(in: text) == Self.two) }

    @Test(
        "A password may stand in the environment",
        arguments: [
            "email,password_env\na@x.test,FIRST\nb@x.test,SECOND",
            #"{"email": "a@x.test", "password_env": "FIRST"}"# + "\n"
                + #"{"email": "b@x.test", "passwordEnv": "SECOND"}"#,
        ])
    func environment(text: String) throws {
        let values = ["FIRST": "one, \"two\"", "SECOND": "p"]
        #expect(try AccountFile.accounts(in: text, environment: values) == Self.two)
        #expect(throws: AccountFile.Problem.self) { try AccountFile.accounts(in: text) }
    }

    @Test(
        "A line that is no account is named by its number, and nothing of it is shown",
        arguments: [
            ("", 1), ("a@x.test,p\nsecret", 2), ("a@x.test,\"secret", 1),
            ("{\"email\": \"a\", \"password\": \"p\"}\n\n{\"email\": \"secret\"}", 3),
            ("email,password\n,secret", 2), ("user,pass\na@x.test,secret", 1),
        ])
    func refuses(text: String, line: Int) {
        let problem = #expect(throws: AccountFile.Problem.self) {
            try AccountFile.accounts(in: text)
        }
        #expect(problem?.line == line)
        #expect(problem?.text.contains("secret") == false)
    }
}

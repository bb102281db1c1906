import Testing

@testable import SquallFit

/// What a document says of token calls that are refused, and of the end of a session.
extension OpenAPITokenTests {
    @Test("A refused refresh and a wrong password get what the document says of their calls")
    func refusedCalls() throws {
        func answers(_ status: String) -> String {
            "\"responses\":{\"\(status)\":{\"content\":{\"application/json\":{\"schema\":{"
                + #""required":["detail"],"properties":{"detail":{"type":"string"}}}}}}}"#
        }
        let text = try draft(
            "\"/login\":{\"post\":{\(body("email", "password")),\(answers("4XX"))}},"
                + "\"/refresh\":{\"post\":{\(body("refreshToken")),\(answers("403"))}}"
        ).text
        #expect(text.contains(#""signedOut": { "status": 403, "body": "{"#), "\(text)")
        #expect(text.contains(#""wrongPassword": { "status": 401, "body": "{"#))
        #expect(text.contains("The name or the password is wrong."))
    }

    @Test("A refusal without a body has the document's status; a 400 beside 401 is of what lacks")
    func bodilessRefusals() throws {
        let text = try draft(
            "\"/login\":{\"post\":{\(body("email", "password")),\"responses\":{\"401\":{},"
                + "\"400\":{\"content\":{\"application/json\":{\"schema\":{\"properties\":"
                + "{\"error\":{\"type\":\"string\"}}}}}}}}},"
                + "\"/refresh\":{\"post\":{\(body("refreshToken")),\"responses\":{\"403\":{}}}}"
        ).text
        #expect(text.contains(#""signedOut": { "status": 403, "statusAlone": true }"#), "\(text)")
        #expect(text.contains(#""wrongPassword": { "status": 401, "statusAlone": true }"#))
        #expect(text.contains(#""missingAccount": { "status": 400, "body": "{ \"err"#))
    }

    @Test("A sign-out that is sent the refresh token ends it")
    func endedBySignOut() throws {
        let ends = #""logOutEffect": "endsRefreshTokens""#
        #expect(
            try draft("\"/logout\":{\"post\":{\(body("refreshToken"))}}").text.contains(ends))
        #expect(try !draft("\"/logout\":{\"post\":{}}").text.contains(ends))
    }

    @Test("A sign-out is answered as the document says")
    func farewell() throws {
        let answers =
            #""responses":{"200":{"content":{"application/json":{"schema":{"required":["message"],"#
            + #""properties":{"message":{"type":"string"},"success":{"type":"boolean"}}}}}}}"#
        let text = try draft("\"/logout\":{\"post\":{\(answers)}}").text
        #expect(text.contains(#""response": "{ \"message\": \"Signed out.\" }"#), "\(text)")
    }

    @Test("A refused refresh gets what is said of its call where that call signs in, too")
    func refusedGrant() throws {
        let answers =
            #""responses":{"401":{},"400":{"content":{"application/json":{"schema":{"#
            + #""required":["error"],"properties":{"error":{"type":"string","enum":["#
            + #""invalid_request","invalid_grant"]},"error_description":{"type":"string"}}}}}}}"#
        let text = try draft(
            "\"/token\":{\"post\":{\(body("grant_type", "refresh_token")),\(answers)}}"
        ).text
        let refused = #""status": 400, "body": "{ \"error\": \"invalid_grant\" }" }"#
        #expect(text.contains("\"signedOut\": { \(refused)"), "\(text)")
        #expect(!text.contains("wrongPassword"))
    }

    @Test("A sign-in without a refusal of its own has that of calls, and its 422 if parts lack")
    func refusalOfOthers() throws {
        func answer(_ status: String, _ member: String) -> String {
            "\"\(status)\":{\"content\":{\"application/json\":{\"schema\":{"
                + "\"properties\":{\"\(member)\":{\"type\":\"string\"}}}}}}"
        }
        let signIn = "\(body("email", "password")),\"responses\":{\(answer("422", "detail"))}"
        let text = try draft(
            "\"/pets\":{\"get\":{\"responses\":{\(answer("401", "message"))}}},"
                + "\"/login\":{\"post\":{\"security\":[],\(signIn)}}"
        ).text
        let wrong = "{ \\\"message\\\": \\\"The name or the password is wrong.\\\" }"
        #expect(text.contains("\"wrongPassword\": { \"status\": 401, \"body\": \"\(wrong)\""))
        #expect(text.contains("\"missingAccount\": { \"status\": 422, \"body\": \"{ \\\"det"))
    }
}

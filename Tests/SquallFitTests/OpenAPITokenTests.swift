import SquallHTTP
import Testing

@testable import SquallFit

@Suite("Token calls of an OpenAPI document")
struct OpenAPITokenTests {
    func body(_ names: String...) -> String {
        let members = names.map { "\"\($0)\":{\"type\":\"string\"}" }.joined(separator: ",")
        return "\"requestBody\":{\"content\":{\"application/json\":{\"schema\":{\"properties\":{"
            + "\(members)}}}}}"
    }

    func draft(
        _ paths: String, schemes: String = "", tokenCalls: [String: String] = [:]
    ) throws -> (text: String, remarks: String) {
        let text =
            "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"x\"},\"components\":{"
            + "\"securitySchemes\":{\"b\":{\"type\":\"http\",\"scheme\":\"bearer\"}\(schemes)}},"
            + "\"security\":[{\"b\":[]}],\"paths\":{\"/books\":{\"get\":{}},\(paths)}}"
        let draft = try ProfileDraft(
            openAPI: Array(text.utf8), file: "x.json", tokenCalls: tokenCalls)
        return (draft.text(for: "y"), draft.remarks.joined(separator: " "))
    }

    @Test("A grant type in the query tells sign-in and refresh, whatever the path is called")
    func grantType() throws {
        let parameter =
            "\"parameters\":[{\"name\":\"grant_type\",\"in\":\"query\",\"schema\":{\"type\":"
            + "\"string\",\"enum\":[\"password\",\"refresh_token\"]}}]"
        let found = try draft("\"/token\":{\"post\":{\(parameter)}}")
        #expect(found.remarks.contains("logIn is POST /token, by what it is sent"))
        #expect(found.remarks.contains("refresh is POST /token, by what it is sent"))
        #expect(found.remarks.contains("No logOut was found; name it with --log-out"))
        #expect(!found.text.contains("\"name\": \"post-token\""))
    }

    @Test("A token call is known by its body before its name, and POST goes before GET")
    func fields() throws {
        let found = try draft(
            "\"/refresh-account\":{\"get\":{}},\"/a/renewal\":{\"post\":{\(body("refreshToken"))}},"
                + "\"/reset-password\":{\"post\":{\(body("email", "password"))}},"
                + "\"/enter\":{\"post\":{\(body("username", "password"))}}")
        #expect(found.remarks.contains("refresh is POST /a/renewal"))
        #expect(found.remarks.contains("logIn is POST /enter"))
        let named = try draft("\"/refresh\":{\"get\":{},\"post\":{}}")
        #expect(named.remarks.contains("refresh is POST /refresh, by its name"))
    }

    @Test("A call that is sent an account's secret and answers no token is no sign-in")
    func secretsEverywhere() throws {
        let answer =
            #""responses":{"200":{"content":{"application/json":{"schema":{"properties":{"#
            + #""report":{"type":"string"}}}}}}}"#
        let found = try draft("\"/reports\":{\"post\":{\(body("user", "secret")),\(answer)}}")
        #expect(found.remarks.contains("No logIn was found"))
    }

    @Test("A consent is no sign-in: neither by its path nor by an account that it is sent")
    func consents() throws {
        func answer(_ name: String) -> String {
            #""responses":{"200":{"content":{"application/json":{"schema":{"properties":{"#
                + "\"\(name)\":{\"type\":\"string\"}}}}}}}"
        }
        let own = #""security":[{"b":[]}]"#
        let enter = "\"/enter\":{\"post\":{\(body("email", "password")),\(answer("token"))}}"
        for consent in [
            "\"/oauth/consent\":{\"post\":{\(body("user", "secret")),\(answer("code"))}}",
            "\"/auth/consent\":{\"post\":{\(body("user", "password")),\(answer("code"))}}",
            "\"/auth/consent\":{\"post\":{\(body("user", "password")),\(own)}}",
            "\"/auth/consent\":{\"post\":{\(body("user", "approve"))}}",
            "\"/auth/consent\":{\"post\":{\"security\":[]}}",
        ] {
            let found = try draft("\(consent),\(enter)")
            #expect(found.remarks.contains("logIn is POST /enter, by what it is sent"))
            let alone = try draft(consent)
            #expect(alone.remarks.contains("No logIn was found, so users sign in at POST /"))
        }
        let named = try draft("\"/auth\":{\"post\":{\"security\":[]}}")
        #expect(named.remarks.contains("logIn is POST /auth, by its name"))
    }

    @Test("An account's deletion is no sign-in, wherever it stands")
    func deletion() throws {
        let done = "\"responses\":{\"204\":{}}"
        let found = try draft(
            "\"/auth/delete-account\":{\"post\":{\(done)}},\"/auth/me\":{\"post\":{\(done)}}")
        #expect(found.remarks.contains("No logIn was found"))
    }

    @Test("A subscription's renewal and a feed's refresh are no refresh of tokens")
    func otherRefreshes() throws {
        let found = try draft(
            "\"/api/subscription/auto-renew\":{\"post\":{}},\"/feed/refresh\":{\"post\":{}},"
                + "\"/authors/refresh\":{\"post\":{}}")
        #expect(found.remarks.contains("No refresh was found"))
        for path in ["/v1/auth/refresh", "/api/v2/refresh", "/refresh_token", "/Account/refresh"] {
            #expect(TokenWords.isRefresh(path), "\(path)")
        }
    }

    @Test("A name that FastAPI made of function, path and verb is the function's")
    func names() throws {
        let path = "/v1/users/{user_id}"
        let found = try draft(
            "\"\(path)\":{\"get\":{\"operationId\":\"get_user_v1_users__user_id__get\"}}")
        #expect(found.text.contains("\"name\": \"get_user\""))
    }

    @Test("A health check that squall fit leaves out is on no screen of a draft either")
    func healthChecks() throws {
        for word in RequestFilter.checkWords {
            let text = try draft("\"/\(word)\":{\"get\":{\"operationId\":\"check\"}}").text
            #expect(text.contains("{ \"name\": \"check\", \"path\": \"/\(word)\""), "\(word)")
            #expect(text.contains("\"calls\": [[\"get-books\"]]"), "\(word)")
        }
    }

    @Test("A call that sends browsers on to a page is on no screen")
    func redirects() throws {
        let text = try draft("\"/go\":{\"get\":{\"responses\":{\"303\":{}}}}").text
        #expect(text.contains("\"calls\": [[\"get-books\"]]") && text.contains("\"/go\""))
    }

    @Test("An API key does not expire, so no call needs a token")
    func keys() throws {
        let text =
            "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"x\"},\"components\":{"
            + "\"securitySchemes\":{\"k\":{\"type\":\"apiKey\",\"in\":\"header\","
            + "\"name\":\"X-API-Key\"}}},\"security\":[{\"k\":[]}],"
            + "\"paths\":{\"/books\":{\"get\":{}}}}"
        let draft = try ProfileDraft(openAPI: Array(text.utf8), file: "x.json", tokenCalls: [:])
        #expect(draft.remarks.joined().contains("an API key (`X-API-Key`), which does not expire"))
        #expect(draft.text(for: "y").contains("\"needsToken\": false"))
    }

    @Test(
        "A token is asked for by a scheme that nothing describes, and by a parameter",
        arguments: [
            ("\"security\":[{\"b\":[]}]", true),
            (
                "\"parameters\":[{\"in\":\"header\",\"name\":\"authorization\","
                    + "\"required\":true}]", true
            ),
            ("\"parameters\":[{\"in\":\"header\",\"name\":\"Authorization\"}]", false),
        ] as [(String, Bool)])
    func undescribed(call: String, isNeeded: Bool) throws {
        let text = "{\"openapi\":\"3.0.3\",\"paths\":{\"/books\":{\"get\":{\(call)}}}}"
        let draft = try ProfileDraft(openAPI: Array(text.utf8), file: "x.json", tokenCalls: [:])
        #expect(draft.remarks.joined().contains("Bearer is assumed") == isNeeded)
        #expect(draft.text(for: "y").contains("\"needsToken\": false") != isNeeded)
    }

    @Test("OAuth's revocation signs out where no call is called so")
    func revocation() throws {
        let revoke = "\"/oauth2/revoke\":{\"post\":{}}"
        let alone = try draft("\(revoke),\"/keys/revoke\":{\"post\":{}}")
        #expect(alone.remarks.contains("logOut is POST /oauth2/revoke, by its name"))
        let both = try draft("\(revoke),\"/logout\":{\"post\":{}}")
        #expect(both.remarks.contains("logOut is POST /logout, by its name"))
    }

    @Test(
        "A sign-in and a sign-out are known by a hyphen, an underscore or neither",
        arguments: [("log_in", "sign_out"), ("sign-in", "log-off"), ("signIn", "logOut")])
    func spellings(logIn: String, logOut: String) throws {
        let found = try draft(
            "\"/users/\(logIn)\":{\"post\":{}},\"/users/\(logOut)\":{\"delete\":{}}")
        #expect(found.remarks.contains("logIn is POST /users/\(logIn), by its name"))
        #expect(found.remarks.contains("logOut is DELETE /users/\(logOut), by its name"))
    }

    @Test("A sign-out by GET shows its token in a header, whatever calls need")
    func bodiless() throws {
        let found = try draft("\"/app/logout\":{\"get\":{\"security\":[]}}")
        #expect(found.remarks.contains("logOut is GET /app/logout, by its name"))
        #expect(!found.remarks.contains("Left out"), "\(found.remarks)")
    }

    @Test("What deletes a sign-in's session signs out")
    func deletedSession() throws {
        let found = try draft(
            "\"/session\":{\"post\":{\(body("phone", "pin"))},\"delete\":{}}")
        #expect(found.remarks.contains("logOut is DELETE /session, as it deletes"))
    }

    @Test("An OAuth flow's address comes first, and an option before all")
    func flows() throws {
        let flow =
            ",\"o\":{\"type\":\"oauth2\",\"flows\":{\"password\":{\"tokenUrl\":"
            + "\"https://x.example/mcp/token\",\"refreshUrl\":\"/mcp/renew\"}}}"
        let paths = "\"/refresh\":{\"post\":{\(body("refresh_token"))}}"
        let found = try draft(paths, schemes: flow)
        #expect(found.remarks.contains("refresh is POST /mcp/renew, by the OAuth flow's address"))
        let given = try draft(paths, schemes: flow, tokenCalls: ["refresh": "PUT /renew"])
        #expect(given.remarks.contains("refresh is PUT /renew, as --refresh says"))
    }

    @Test(
        "A token endpoint of a password flow refreshes, unless the document shows that it does not",
        arguments: [
            (nil, true), ("{}", true),
            (#"{"access_token":{"type":"string"},"refresh_token":{"type":"string"}}"#, true),
            (#"{"access_token":{"type":"string"}}"#, false),
        ] as [(String?, Bool)])
    func passwordFlow(answer: String?, refreshes: Bool) throws {
        let flow =
            ",\"o\":{\"type\":\"oauth2\",\"flows\":{\"password\":{\"tokenUrl\":\"/oauth2/t\"}}}"
        let call = answer.map {
            ",\"/oauth2/t\":{\"post\":{\"responses\":{\"200\":{\"content\":{\"application/json\":"
                + "{\"schema\":{\"properties\":\($0)}}}}}}}"
        }
        let found = try draft("\"/x\":{\"get\":{}}" + (call ?? ""), schemes: flow)
        let told = "refresh is POST /oauth2/t, by the OAuth flow's address"
        #expect(found.remarks.contains(told) == refreshes, "\(found.remarks)")
        #expect(found.remarks.contains("No refresh was found") != refreshes)
    }

    @Test("A call that is called a refresh and answers something without a token is none")
    func otherAnswers() throws {
        func answer(_ name: String) -> String {
            "\"responses\":{\"200\":{\"content\":{\"application/json\":{\"schema\":{\"properties\":"
                + "{\"\(name)\":{\"type\":\"string\"}}}}}}}"
        }
        let found = try draft(
            "\"/refreshIdentity\":{\"post\":{\(answer("did"))}},"
                + "\"/refreshSession\":{\"post\":{\(answer("accessJwt"))}},"
                + "\"/live/sessions\":{\"post\":{\(body("model")),\(answer("id"))}}")
        #expect(found.remarks.contains("refresh is POST /refreshSession, by its name"))
        #expect(found.remarks.contains("No logIn was found"))
    }

    @Test("A call that takes a name and a password instead of a token needs none")
    func basic() throws {
        let found = try draft(
            "\"/x\":{\"get\":{\"operationId\":\"x\",\"security\":[{\"b\":[]},{\"p\":[]}]}}",
            schemes: ",\"p\":{\"type\":\"http\",\"scheme\":\"basic\"}")
        #expect(found.text.contains("\"path\": \"/x\", \"needsToken\": false"))
        #expect(!found.text.contains("\"path\": \"/books\", \"needsToken\""))
    }

    @Test("A token endpoint has the grants of all alternatives of its body")
    func grantsOfAlternatives() throws {
        func grant(_ word: String, _ more: String) -> String {
            #"{"required":["\#(more)"],"properties":{"grant_type":{"type":"string","#
                + #""enum":["\#(word)"]},"#
                + #""\#(more)":{"type":"string"}}}"#
        }
        let alternatives =
            grant("authorization_code", "code") + "," + grant("refresh_token", "refresh_token")
        let form = #""application/x-www-form-urlencoded":{"schema":{"oneOf":[\#(alternatives)]}}"#
        let found = try draft(
            #""/oauth2/token":{"post":{"requestBody":{"content":{\#(form)}}}}"#)
        #expect(found.remarks.contains("refresh is POST /oauth2/token, by what it is sent"))
        #expect(found.remarks.contains("logIn is POST /oauth2/token, as it refreshes"))
        #expect(found.text.contains(#""fields": ["grant_type=refresh_token"]"#))
        #expect(found.text.contains(#""fields": ["grant_type=password"]"#))
    }

    @Test("Of calls that are sent an account the one that is called a sign-in is it")
    func installations() throws {
        let found = try draft(
            "\"/install\":{\"post\":{\(body("username", "password"))}},"
                + "\"/login\":{\"post\":{\(body("name", "password"))}},"
                + "\"/rooms\":{\"post\":{\(body("name", "password"))}}")
        #expect(found.remarks.contains("logIn is POST /login, by what it is sent"))
        #expect(found.text.contains(#""userField": "name""#))
    }

    @Test("Settings in which other services' tokens stand are no refresh")
    func otherTokens() throws {
        let found = try draft(
            "\"/models\":{\"post\":{\(body("access_token", "refresh_token", "project"))}}")
        #expect(found.remarks.contains("No refresh was found"))
    }

    @Test("The end of an access token is the one of each token, as a date or in seconds")
    func ends() throws {
        func told(_ end: String) throws -> String {
            let answer =
                #""responses":{"200":{"content":{"application/json":{"schema":{"properties":{"#
                + #""access_token":{"type":"string"},"expires_at":\#(end)}}}}}}"#
            return try draft("\"/login\":{\"post\":{\(body("email", "password")),\(answer)}}").text
        }
        #expect(
            try told(#"{"type":"string","format":"date-time"}"#)
                .contains(#""expires_at": "{expiryDate}""#))
        #expect(
            try told(#"{"type":"integer","example":1767225600}"#)
                .contains(#""expires_at": "{expiresAt}""#))
        #expect(
            try told(#"{"type":"integer","example":3600}"#).contains(#""expires_at": 3600"#))
        // Without an example.
        #expect(try told(#"{"type":"string"}"#).contains(#""expires_at": "{expiryDate}""#))
        #expect(try told(#"{"type":"integer"}"#).contains(#""expires_at": "{expiresAt}""#))
        #expect(
            try told(#"{"type":"integer","description":"in milliseconds"}"#)
                .contains(#""expires_at": 1"#))
    }

    @Test("A member that only responses have is not sent at a sign-in")
    func readOnly() throws {
        let body =
            #""requestBody":{"content":{"application/json":{"schema":{"required":["username","#
            + #""password","access"],"properties":{"username":{"type":"string"},"password":"#
            + #"{"type":"string"},"access":{"type":"string","readOnly":true}}}}}}"#
        let text = try draft("\"/login\":{\"post\":{\(body)}}").text
        #expect(text.contains(#""userField": "username" }"#), "\(text)")
    }

    @Test("A sign-in that is said to need a token, as Django REST framework says it, is one")
    func signInWithToken() throws {
        func answer(_ name: String) -> String {
            #""security":[{"b":[]}],"responses":{"200":{"content":{"application/json":{"schema":{"#
                + "\"properties\":{\"\(name)\":{\"type\":\"string\"}}}}}}}"
        }
        let sent = body("username", "password")
        let found = try draft("\"/api/token-auth/\":{\"post\":{\(sent),\(answer("token"))}}")
        #expect(found.remarks.contains("logIn is POST /api/token-auth/, by what it is sent"))
        let other = try draft("\"/confirmation\":{\"post\":{\(sent),\(answer("code"))}}")
        #expect(other.remarks.contains("No logIn was found"))
    }

    @Test("Tokens may each be in an object of their own, and both have one name there")
    func tokensInObjects() throws {
        let token = #"{"type":"object","properties":{"token":{"type":"string"}}}"#
        let answer =
            #""responses":{"200":{"content":{"application/json":{"schema":{"properties":{"#
            + "\"refresh\":\(token),\"access\":\(token)}}}}}}"
        let text = try draft(
            "\"/login\":{\"post\":{\(body("email", "password")),\(answer)}},"
                + "\"/refresh\":{\"post\":{\(body("refreshToken")),\(answer)}}"
        ).text
        #expect(
            text.contains(#"{ "access": "access.token", "refresh": "refresh.token" }"#), "\(text)")
    }
}

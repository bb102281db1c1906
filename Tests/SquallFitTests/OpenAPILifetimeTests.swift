import SquallFormat
import Testing

@testable import SquallFit

@Suite("Lives of tokens that an OpenAPI document states")
struct OpenAPILifetimeTests {
    /// The profile drafted of a document whose sign-in answers members of a schema.
    private func draft(
        _ members: String, media: String? = nil, refresh: Bool = true
    ) throws -> (profile: JSONNode, remarks: String) {
        let schema = "{type: object, properties: {access_token: {type: string}, \(members)}}"
        let content = media ?? "schema: \(schema)"
        let again = """
              /token/refresh:
                post:
                  requestBody: {content: {application/json: {schema: {properties: {
                    refresh_token: {type: string}}}}}}
                  responses: {}
            """
        let text = """
            openapi: 3.1.0
            info: {title: t, version: '1'}
            security: [{b: []}]
            paths:
              /login:
                post:
                  requestBody: {content: {application/json: {schema: {properties: {
                    email: {type: string}, password: {type: string}}}}}}
                  responses: {'200': {content: {application/json: {\(content)}}}}
            \(refresh ? again : "")
              /things: {get: {responses: {}}}
            components: {securitySchemes: {b: {type: http, scheme: bearer}}}
            """
        let draft = try ProfileDraft(openAPI: Array(text.utf8), file: "x.yaml")
        let profile = try JSONParser.parse(Array(draft.text(for: "y").utf8))
        return (profile, draft.remarks.joined(separator: " "))
    }

    @Test(
        "The life of an access token is the one that the answer states, and is not assumed",
        arguments: [
            ("expires_in: {type: integer, example: 900}", "15m"),
            ("expires_in: {type: integer, const: 900}", "15m"),
            ("expires_in: {type: integer, examples: [900]}", "15m"),
            ("expires_in: {type: integer, default: 3600}", "1h"),
            ("expires_in: {type: integer, enum: [45]}", "45s"),
            ("expiresIn: {type: integer, example: 900000}", "15m"),
            ("expiresIn: {type: integer, example: 86400000}", "1d"),
            ("expiresIn: {type: integer, example: 2592000}", "30d"),
            ("expiresIn: {type: integer, example: 60000, description: In milliseconds}", "1m"),
            ("expires_in_ms: {type: integer, example: 300000}", "5m"),
            ("expiresIn: {type: string, example: 8h}", "8h"),
            ("expiresIn: {type: string, example: '1800'}", "30m"),
            ("expires_in: {type: integer, description: Seconds of life (3600 by default)}", "1h"),
            ("expires_in: {type: integer, description: 'Lives 3600 seconds, so 1 hour'}", "1h"),
            ("data: {properties: {token: {type: string}, ttl: {type: number, example: 60}}}", "1m"),
        ])
    func stated(member: String, expected: String) throws {
        let (profile, remarks) = try draft(member)
        #expect(profile["backend"]?["tokens"]?.text("accessLifetime") == expected)
        let assumed = profile["assumed"].map { JSON($0).line } ?? ""
        #expect(!assumed.contains("accessLifetime") && assumed.contains("refreshLifetime"))
        #expect(remarks.contains("the life of a refresh token"))
    }

    @Test(
        "A moment, a number of a document or two numbers state no life",
        arguments: [
            "expires_at: {type: integer, example: 1767225600}",
            "expiry: {type: integer, example: 1767225600}",
            "expires_in: {type: integer, example: 0}",
            "expires_in: {type: integer, description: See RFC 6749}",
            "expires_in: {type: integer, description: 15 minutes or 2 hours}",
            "text: {type: string, description: Valid for 15 minutes}",
        ])
    func silent(member: String) throws {
        let (profile, remarks) = try draft(member)
        #expect(profile["backend"]?["tokens"]?.text("accessLifetime") == "2m")
        #expect(profile["assumed"].map { JSON($0).line }?.contains("accessLifetime") == true)
        #expect(remarks.contains("lives of tokens"))
        let delivery = profile["backend"]?["service"]?["delivery"]?["json"]
        #expect((delivery?["lifetime"] == nil) == !member.hasPrefix("expires_in"))
    }

    @Test("The response's example and words about tokens state lives, too")
    func others() throws {
        let example = "example: {access_token: x, refresh_token: y, expires_in: 600}"
        #expect(
            try draft("", media: example).profile["backend"]?["tokens"]?.text("accessLifetime")
                == "10m")
        let words =
            "token: {type: string}, refresh_token: {type: string,"
            + " description: Expires after 30 days}, refresh_expires_in: {type: integer}"
        let tokens = try draft(words).profile["backend"]?["tokens"]
        #expect(tokens?.text("refreshLifetime") == "30d")
        let answer =
            "JWT accessToken (expired after 10 seconds) in body and JWT refreshToken in cookie"
            + " (http-only, secure) (expired after 20 minutes)"
        let said = OpenAPILifetime.lives(in: answer)
        #expect(said.access == 10_000_000_000 && said.refresh == 1_200_000_000_000)
    }

    @Test("Without a refresh a token keeps its life in words, and does not end")
    func withoutRefresh() throws {
        let life = "expires_in: {type: integer, example: 900}"
        let tokens = try draft(life, refresh: false).profile["backend"]?["tokens"]
        #expect(tokens?.text("accessLifetime") == "14d" && tokens?.text("statedLifetime") == "15m")
    }
}

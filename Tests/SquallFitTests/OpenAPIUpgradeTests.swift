import SquallFormat
import Testing

@testable import SquallFit

/// Documents of Swagger 2 beside those of OpenAPI 3 that say as much.
@Suite("Swagger 2")
struct OpenAPIUpgradeTests {
    private static let old = """
        swagger: '2.0'
        info: {title: t, version: '1'}
        host: shop.example
        basePath: /v1
        schemes: [http, https]
        consumes: [application/vnd.shop+json]
        produces: [application/json]
        securityDefinitions:
          key: {type: apiKey, in: header, name: Authorization, description: "'Bearer <token>'"}
        security: [{key: []}]
        parameters:
          Size: {name: size, in: query, type: integer, default: 7}
          Depth: {name: depth, in: query, type: integer, maximum: 9}
          NewPlant: {name: plant, in: body, required: true, schema: {$ref: '#/definitions/Plant'}}
        responses:
          Bad: {description: no, schema: {type: object, properties: {error: {type: string}}}}
        definitions:
          Plant:
            type: object
            required: [name]
            properties:
              name: {type: string, maxLength: 20}
              height: {type: number, x-nullable: true}
        paths:
          /plants:
            get:
              parameters: [{$ref: '#/parameters/Size'}, {name: page, in: query, type: integer}]
              responses:
                '200':
                  description: all
                  schema: {type: array, items: {$ref: '#/definitions/Plant'}}
            post:
              parameters: [{$ref: '#/parameters/NewPlant'}]
              responses:
                '201': {description: made, schema: {$ref: '#/definitions/Plant'}}
                '400': {$ref: '#/responses/Bad'}
          /login:
            post:
              security: []
              consumes: [application/x-www-form-urlencoded]
              parameters:
                - {name: username, in: formData, type: string, required: true}
                - {name: password, in: formData, type: string, required: true}
              responses:
                '200': {description: in, examples: {application/json: {access_token: abc}}}
          /plants/{id}/photo:
            parameters: [{name: id, in: path, required: true, type: string, format: uuid}]
            put:
              parameters: [{name: photo, in: formData, type: file}]
              responses: {'204': {description: taken}}
          /notes:
            parameters:
              - {name: note, in: body, schema: {properties: {all: {type: integer}}}}
            put: {responses: {'204': {description: written}}}
            post:
              produces: [application/hal+json]
              parameters:
                - {name: own, in: body, schema: {properties: {one: {type: integer}}}}
              responses:
                '201':
                  description: made
                  headers: {X-Left: {type: integer, default: 9}}
                  schema: {type: object, properties: {id: {type: integer}}}
          /marks:
            get:
              parameters: [{$ref: '#/parameters/Depth'}]
              responses: {'200': {description: all}, '400': {description: too deep}}
            post:
              parameters:
                - {name: star, in: formData, type: string, required: true}
                - {name: note, in: formData, type: string}
              responses: {'204': {description: marked}}
        """
    private static let new = """
        openapi: 3.0.3
        info: {title: t, version: '1'}
        servers: [{url: 'https://shop.example/v1'}]
        security: [{key: []}]
        components:
          securitySchemes:
            key: {type: apiKey, in: header, name: Authorization, description: "'Bearer <token>'"}
          schemas:
            Plant:
              type: object
              required: [name]
              properties:
                name: {type: string, maxLength: 20}
                height: {type: number, nullable: true}
        paths:
          /plants:
            get:
              parameters:
                - {name: size, in: query, schema: {type: integer, default: 7}}
                - {name: page, in: query, schema: {type: integer}}
              responses:
                '200':
                  description: all
                  content:
                    application/json:
                      schema: {type: array, items: {$ref: '#/components/schemas/Plant'}}
            post:
              requestBody:
                required: true
                content:
                  application/vnd.shop+json: {schema: {$ref: '#/components/schemas/Plant'}}
              responses:
                '201':
                  description: made
                  content: {application/json: {schema: {$ref: '#/components/schemas/Plant'}}}
                '400':
                  description: no
                  content:
                    application/json:
                      schema: {type: object, properties: {error: {type: string}}}
          /login:
            post:
              security: []
              requestBody:
                required: true
                content:
                  application/x-www-form-urlencoded:
                    schema:
                      type: object
                      required: [username, password]
                      properties: {username: {type: string}, password: {type: string}}
              responses:
                '200':
                  description: in
                  content: {application/json: {example: {access_token: abc}}}
          /plants/{id}/photo:
            parameters: [{name: id, in: path, required: true, schema: {type: string, format: uuid}}]
            put:
              requestBody:
                content:
                  multipart/form-data:
                    schema: {type: object, properties: {photo: {type: string, format: binary}}}
              responses: {'204': {description: taken}}
          /notes:
            put:
              requestBody:
                content:
                  application/vnd.shop+json: {schema: {properties: {all: {type: integer}}}}
              responses: {'204': {description: written}}
            post:
              requestBody:
                content:
                  application/vnd.shop+json: {schema: {properties: {one: {type: integer}}}}
              responses:
                '201':
                  description: made
                  headers: {X-Left: {schema: {type: integer, default: 9}}}
                  content:
                    application/hal+json:
                      schema: {type: object, properties: {id: {type: integer}}}
          /marks:
            get:
              parameters: [{name: depth, in: query, schema: {type: integer, maximum: 9}}]
              responses: {'200': {description: all}, '400': {description: too deep}}
            post:
              requestBody:
                required: true
                content:
                  application/x-www-form-urlencoded:
                    schema:
                      type: object
                      required: [star]
                      properties: {star: {type: string}, note: {type: string}}
              responses: {'204': {description: marked}}
        """

    private func draft(_ text: String) throws -> String {
        try ProfileDraft(openAPI: Array(text.utf8), file: "x.yaml").text(for: "y")
    }

    @Test("A document of Swagger 2 becomes the profile of its OpenAPI 3 form")
    func twins() throws {
        let (old, new) = (try draft(Self.old), try draft(Self.new))
        #expect(old == new)
        #expect(old.contains("https://shop.example") && old.contains("\"/v1/plants/{id}/photo\""))
    }

    @Test("A call without media types of its own has those of the document")
    func mediaTypes() throws {
        func draft(root: String, own: String) throws -> String {
            try self.draft(
                """
                swagger: '2.0'
                info: {title: t, version: '1'}
                \(root)
                paths:
                  /notes:
                    post:
                      \(own)
                      parameters: [{name: text, in: formData, type: string, required: true}]
                      responses: {'204': {description: made}}
                """)
        }
        let type = "consumes: [multipart/form-data]"
        let inherited = try draft(root: type, own: "summary: x")
        #expect(try inherited == draft(root: "schemes: [https]", own: type))
        #expect(inherited.contains(#""type": "multipart""#))
    }

    @Test(
        "A security scheme becomes that of OpenAPI 3",
        arguments: [
            ("{type: basic}", "{type: http, scheme: basic}"),
            (
                "{type: oauth2, flow: accessCode, authorizationUrl: /a, tokenUrl: /t}",
                "{type: oauth2, flows: {authorizationCode: {authorizationUrl: /a, tokenUrl: /t}}}"
            ),
            (
                "{type: oauth2, flow: application, tokenUrl: /t}",
                "{type: oauth2, flows: {clientCredentials: {tokenUrl: /t}}}"
            ),
        ])
    func schemes(old: String, new: String) throws {
        let rest = """
            info: {title: t, version: '1'}
            security: [{own: []}]
            paths: {/plants: {get: {responses: {'200': {description: all}}}}}

            """
        let older = rest + "swagger: '2.0'\nsecurityDefinitions: {own: \(old)}"
        let newer = rest + "openapi: 3.0.3\ncomponents: {securitySchemes: {own: \(new)}}"
        #expect(try draft(older) == draft(newer))
    }
}

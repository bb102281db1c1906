import SquallServices
import SquallTool

SquallTool.main(
    apps: [ThreeWays.self],
    services: [
        ServiceKind(
            TokenService(
                .bearer,
                routes: [
                    .get("/posts", json: #"[{"id": 1, "title": "First"}]"#),
                    .get("/profile", json: #"{"nick": "Kim"}"#).costing(.milliseconds(200)),
                ]))
    ])

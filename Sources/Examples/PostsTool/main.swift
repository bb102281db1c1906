import SquallServices
import SquallTool

// Every command of squall, with the posts' client and its server beside the built-in ones:
//   swift run posts-squall run Sources/Examples/PostsTool/posts-load.json

SquallTool.main(
    apps: [PostsApp.self],
    services: [
        ServiceKind(
            TokenService(
                .bearer,
                routes: [
                    .get("/posts", json: #"[{"id": 1, "title": "First"}]"#),
                    .get("/profile", json: #"{"nick": "Kim"}"#).costing(.milliseconds(200)),
                ]))
    ])

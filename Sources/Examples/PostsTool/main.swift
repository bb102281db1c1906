import SquallServices
import SquallTool

// Every command of squall, with the posts' client in three ways and its server beside the built-in
// ones: behind a network that it is given, on a plain URLSession, and on callbacks and queues.
//   swift run posts-squall run Sources/Examples/PostsTool/posts-load.json

SquallTool.main(
    apps: [PostsApp.self, PlainPostsApp.self, CallbackPostsApp.self, MistakenPostsApp.self],
    services: [
        ServiceKind(
            TokenService(
                .bearer,
                routes: [
                    .get("/posts", json: #"[{"id": 1, "title": "First"}]"#),
                    .get("/profile", json: #"{"nick": "Kim"}"#).costing(.milliseconds(200)),
                ]))
    ])

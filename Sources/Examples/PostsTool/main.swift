import SquallServices
import SquallTool

// All commands of squall, with four forms of the posts' client and its server in addition to the
// worked cases: behind a network given to it, on a plain URLSession, and on callbacks and queues.
//   swift run posts-squall run Sources/Examples/PostsTool/posts-load.json

SquallTool.main(
    apps: [
        PostsApp.self, PlainPostsApp.self, CallbackPostsApp.self, MistakenPostsApp.self,
        AskingTwiceApp.self,
    ],
    services: [
        ServiceKind(
            TokenService(
                .bearer,
                routes: [
                    .get("/posts", json: #"[{"id": 1, "title": "First"}]"#),
                    .get("/profile", json: #"{"nick": "Kim"}"#).costing(.milliseconds(200)),
                ]))
    ])

#include "CBuiltInFiles.h"

// Known to clang in every version of C; a standard that has it would be one for all targets.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct squall_file profiles[] = {
    {"evening-rush", (const unsigned char[]){
#embed "../../Profiles/evening-rush.json" suffix(, 0)
    }},
    {"expiry-planner", (const unsigned char[]){
#embed "../../Profiles/expiry-planner.json" suffix(, 0)
    }},
    {"feed-scroll", (const unsigned char[]){
#embed "../../Profiles/feed-scroll.json" suffix(, 0)
    }},
    {"feed-scroll-short", (const unsigned char[]){
#embed "../../Profiles/feed-scroll-short.json" suffix(, 0)
    }},
    {"flaky-refresh", (const unsigned char[]){
#embed "../../Profiles/flaky-refresh.json" suffix(, 0)
    }},
    {"idle-race", (const unsigned char[]){
#embed "../../Profiles/idle-race.json" suffix(, 0)
    }},
    {"launch-cold", (const unsigned char[]){
#embed "../../Profiles/launch-cold.json" suffix(, 0)
    }},
    {"launch-day", (const unsigned char[]){
#embed "../../Profiles/launch-day.json" suffix(, 0)
    }},
    {"metastability-map", (const unsigned char[]){
#embed "../../Profiles/metastability-map.json" suffix(, 0)
    }},
    {"million", (const unsigned char[]){
#embed "../../Profiles/million.json" suffix(, 0)
    }},
    {"overload-retry", (const unsigned char[]){
#embed "../../Profiles/overload-retry.json" suffix(, 0)
    }},
    {"overload-retry-budgeted", (const unsigned char[]){
#embed "../../Profiles/overload-retry-budgeted.json" suffix(, 0)
    }},
    {"payment-day", (const unsigned char[]){
#embed "../../Profiles/payment-day.json" suffix(, 0)
    }},
    {"quick", (const unsigned char[]){
#embed "../../Profiles/quick.json" suffix(, 0)
    }},
    {"quick-books", (const unsigned char[]){
#embed "../../Profiles/quick-books.json" suffix(, 0)
    }},
    {"quick-outfits", (const unsigned char[]){
#embed "../../Profiles/quick-outfits.json" suffix(, 0)
    }},
    {"quick-presents", (const unsigned char[]){
#embed "../../Profiles/quick-presents.json" suffix(, 0)
    }},
    {"restart-herd", (const unsigned char[]){
#embed "../../Profiles/restart-herd.json" suffix(, 0)
    }},
    {"short-tokens", (const unsigned char[]){
#embed "../../Profiles/short-tokens.json" suffix(, 0)
    }},
    {"storm-http2", (const unsigned char[]){
#embed "../../Profiles/storm-http2.json" suffix(, 0)
    }},
    {"token-expiry-storm", (const unsigned char[]){
#embed "../../Profiles/token-expiry-storm.json" suffix(, 0)
    }},
    {0},
};

static const struct squall_file race_profiles[] = {
    {"book-likes", (const unsigned char[]){
#embed "../../Profiles/races/book-likes.json" suffix(, 0)
    }},
    {"book-log-out", (const unsigned char[]){
#embed "../../Profiles/races/book-log-out.json" suffix(, 0)
    }},
    {"book-pages", (const unsigned char[]){
#embed "../../Profiles/races/book-pages.json" suffix(, 0)
    }},
    {"book-wipe", (const unsigned char[]){
#embed "../../Profiles/races/book-wipe.json" suffix(, 0)
    }},
    {"book-withdraw", (const unsigned char[]){
#embed "../../Profiles/races/book-withdraw.json" suffix(, 0)
    }},
    {"book-zombie", (const unsigned char[]){
#embed "../../Profiles/races/book-zombie.json" suffix(, 0)
    }},
    {"gift-buy", (const unsigned char[]){
#embed "../../Profiles/races/gift-buy.json" suffix(, 0)
    }},
    {"gift-comments", (const unsigned char[]){
#embed "../../Profiles/races/gift-comments.json" suffix(, 0)
    }},
    {"gift-log-out", (const unsigned char[]){
#embed "../../Profiles/races/gift-log-out.json" suffix(, 0)
    }},
    {"gift-loop", (const unsigned char[]){
#embed "../../Profiles/races/gift-loop.json" suffix(, 0)
    }},
    {"gift-pages", (const unsigned char[]){
#embed "../../Profiles/races/gift-pages.json" suffix(, 0)
    }},
    {"gift-storm", (const unsigned char[]){
#embed "../../Profiles/races/gift-storm.json" suffix(, 0)
    }},
    {"gift-withdraw", (const unsigned char[]){
#embed "../../Profiles/races/gift-withdraw.json" suffix(, 0)
    }},
    {"outfit-gap", (const unsigned char[]){
#embed "../../Profiles/races/outfit-gap.json" suffix(, 0)
    }},
    {"outfit-late", (const unsigned char[]){
#embed "../../Profiles/races/outfit-late.json" suffix(, 0)
    }},
    {"outfit-storm", (const unsigned char[]){
#embed "../../Profiles/races/outfit-storm.json" suffix(, 0)
    }},
    {"scrolly-hang", (const unsigned char[]){
#embed "../../Profiles/races/scrolly-hang.json" suffix(, 0)
    }},
    {"scrolly-mark", (const unsigned char[]){
#embed "../../Profiles/races/scrolly-mark.json" suffix(, 0)
    }},
    {"scrolly-reload", (const unsigned char[]){
#embed "../../Profiles/races/scrolly-reload.json" suffix(, 0)
    }},
    {"scrolly-storm", (const unsigned char[]){
#embed "../../Profiles/races/scrolly-storm.json" suffix(, 0)
    }},
    {"semantics-coexist", (const unsigned char[]){
#embed "../../Profiles/races/semantics-coexist.json" suffix(, 0)
    }},
    {"semantics-early409", (const unsigned char[]){
#embed "../../Profiles/races/semantics-early409.json" suffix(, 0)
    }},
    {"semantics-leeway", (const unsigned char[]){
#embed "../../Profiles/races/semantics-leeway.json" suffix(, 0)
    }},
    {"semantics-one-shot", (const unsigned char[]){
#embed "../../Profiles/races/semantics-one-shot.json" suffix(, 0)
    }},
    {"semantics-replay", (const unsigned char[]){
#embed "../../Profiles/races/semantics-replay.json" suffix(, 0)
    }},
    {"semantics-strict", (const unsigned char[]){
#embed "../../Profiles/races/semantics-strict.json" suffix(, 0)
    }},
    {0},
};

static const struct squall_file starting_package[] = {
    {"Package.swift", (const unsigned char[]){
#embed "StartingPackage/Package.swift.txt" suffix(, 0)
    }},
    {"Sources/MyAppClient/API.swift", (const unsigned char[]){
#embed "StartingPackage/API.swift.txt" suffix(, 0)
    }},
    {"Sources/myapp-squall/MyApp.swift", (const unsigned char[]){
#embed "StartingPackage/App.swift.txt" suffix(, 0)
    }},
    {"Sources/myapp-squall/main.swift", (const unsigned char[]){
#embed "StartingPackage/main.swift.txt" suffix(, 0)
    }},
    {"Tests/MyAppTests/RefreshTests.swift", (const unsigned char[]){
#embed "StartingPackage/Tests.swift.txt" suffix(, 0)
    }},
    {"load.json", (const unsigned char[]){
#embed "StartingPackage/load.json.txt" suffix(, 0)
    }},
    {0},
};

const struct squall_file *squall_profiles(void) { return profiles; }
const struct squall_file *squall_race_profiles(void) { return race_profiles; }
const struct squall_file *squall_starting_package(void) { return starting_package; }

/// The fault of a specimen: each is one race that real clients have had.
///
/// The numbers are those of the article Races; `squall drill specimen --design` and a name plays
/// all drills with one of them.
enum SpecimenFlaw: String, CaseIterable, Sendable {
    /// R1: each of several refusals refreshes on its own (Alamofire #3297, Auth0.swift #429).
    case everyRefusal
    /// R2: a late refusal, of a token replaced meanwhile, refreshes again.
    case lateRefusal
    /// The flag that a refresh is under way is cleared before the new token can be used.
    case gap
    /// A refresh that ends after the log-out stores its tokens all the same.
    case zombie
    /// R4: each call refreshes on its own, and a failed refresh erases tokens that another has
    /// stored meanwhile (tuist #10276).
    case failureWipes
    /// R5: new tokens are used at once and written to the disk two seconds later.
    case storesLate
    /// R6: the app and its extension refresh on their own, over one store (Auth0.swift #1048).
    case twoManagers
    /// R7: of two refreshes at once the one that ends last is stored, older or not.
    case staleWrite
    /// R8: the refresh passes through the interceptor that waits for it (Alamofire #3509).
    case ownInterceptor
    /// R9: waiting calls are forgotten when the refresh fails (axios-auth-refresh #14).
    case forgetsWaiters
    /// R10: a call that is refused during a refresh fails (axios-auth-refresh #307).
    case secondWaiterFails
    /// R11: nothing counts how often a call is sent again (Alamofire #3290).
    case endless
    /// R12: after a failed refresh calls go out again without a token (supabase-js #2696).
    case anonymous
    /// R13: a timer renews the tokens, and one failure ends it (supabase-swift #630).
    case timerDies
    /// R14: a timer renews the tokens of all users at the same moment (firebase-ios-sdk #15474).
    case noJitter
}

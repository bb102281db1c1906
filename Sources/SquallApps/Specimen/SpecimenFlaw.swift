/// What is wrong with a specimen: one race of the field each.
///
/// The numbers are those of the article Races; `squall drill specimen --design` and a name
/// asks one of them everything.
enum SpecimenFlaw: String, CaseIterable, Sendable {
    /// R1: each of several refusals refreshes on its own (Alamofire #3297, Auth0.swift #429).
    case everyRefusal
    /// R2: a refusal that comes late, of a token replaced meanwhile, refreshes once more.
    case lateRefusal
    /// The flag that a refresh is under way is cleared before the new token can be used.
    case gap
    /// A refresh that ends after the log-out stores its tokens all the same.
    case zombie
    /// R4: each refreshes on its own, and one that fails forgets what another has stored meanwhile
    /// (tuist #10276).
    case failureWipes
    /// R5: new tokens are used at once and written to the disk two seconds later.
    case storesLate
    /// R6: the app and its extension refresh on their own, over one store (Auth0.swift #1048).
    case twoManagers
    /// R7: of two refreshes at once the one that ends last is stored, older or not.
    case staleWrite
    /// R8: the refresh passes through the interceptor that waits for it (Alamofire #3509).
    case ownInterceptor
    /// R9: whoever waits is forgotten when the refresh fails (axios-auth-refresh #14).
    case forgetsWaiters
    /// R10: whoever is refused while a refresh is under way fails (axios-auth-refresh #307).
    case secondWaiterFails
    /// R11: nothing counts how often a call is sent again (Alamofire #3290).
    case endless
    /// R12: after a failed refresh calls go out again without a token (supabase-js #2696).
    case anonymous
    /// R13: tokens are renewed by a timer, which one failure ends (supabase-swift #630).
    case timerDies
    /// R14: tokens are renewed by a timer that is everybody's at once (firebase-ios-sdk #15474).
    case noJitter
}

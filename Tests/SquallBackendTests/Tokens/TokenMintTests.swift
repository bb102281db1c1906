import SquallKernel
import TestSupport
import Testing

@testable import SquallBackend

@Suite("Tokens")
struct TokenTests {
    @Test("A life that is shortened by more than it is has ended at once, and traps nobody")
    func shortenedLife() {
        var policy = TokenPolicy()
        policy.accessLifetimeNanoseconds = 1
        policy.lifetimeJitterNanoseconds = 1_000_000
        let mint = TokenMint(policy: policy, randomness: RandomStream(seed: 1))
        for user in 0..<50 {
            let expiry = mint.issue(.access, to: user, at: .start).expiry
            #expect(expiry <= Instant(nanoseconds: 1))
        }
    }

    private let start = Instant(nanoseconds: 1_000)

    private func mint(_ policy: TokenPolicy = TokenPolicy()) -> TokenMint {
        TokenMint(policy: policy, randomness: RandomStream(seed: 3))
    }

    @Test("A token is good until the nanosecond at which it expires")
    func expiry() {
        let mint = mint()
        let (token, expiry) = mint.issue(.access, to: 7, at: start)
        let before = Instant(nanoseconds: expiry.nanoseconds - 1)
        #expect(expiry.nanoseconds == 1_000 + 300_000_000_000)
        #expect(mint.judge(token, as: .access, at: before) == .valid(user: 7))
        #expect(mint.judge(token, as: .access, at: expiry) == .expired(user: 7))
    }

    @Test("A token with any one character changed is not genuine", arguments: 0..<61)
    func tampering(position: Int) {
        let mint = mint()
        var characters = Array(mint.issue(.access, to: 7, at: start).token)
        characters[position] = characters[position] == "1" ? "2" : "1"
        #expect(mint.judge(String(characters), as: .access, at: start) == .unverifiable)
    }

    @Test("Kinds, other mints and fragments are not mistaken for one another")
    func kinds() {
        let mint = mint()
        let other = TokenMint(policy: TokenPolicy(), randomness: RandomStream(seed: 4))
        let access = mint.issue(.access, to: 7, at: start).token
        #expect(mint.judge(access, as: .refresh, at: start) == .unverifiable)
        #expect(mint.judge(String(access.dropLast()), as: .access, at: start) == .unverifiable)
        let foreign = other.issue(.access, to: 7, at: start).token
        #expect(mint.judge(foreign, as: .access, at: start) == .unverifiable)
    }

    @Test("A refresh follows the access token that it shows, or else the refresh token")
    func generations() throws {
        let mint = mint()
        let refresh = mint.issue(.refresh, to: 7, at: start).token
        var access = mint.issue(.access, to: 7, at: start).token
        func refreshed(_ shown: String?) throws -> String {
            try mint.refresh(access: shown, refresh: refresh, at: start) { _ in true }.get().access
        }
        for generation in 1...3 as ClosedRange<UInt32> {
            access = try refreshed(access)
            #expect(mint.generation(of: access) == generation)
        }
        #expect(mint.generation(of: try refreshed(nil)) == 1)
    }

    @Test("A refresh that revokes access tokens ends the earlier one, and no refresh token")
    func revocation() throws {
        var policy = TokenPolicy()
        (policy.refresh, policy.refreshRevokesAccessTokens) = (.rotatingStrict, true)
        let mint = mint(policy)
        let refresh = mint.issue(.refresh, to: 7, at: start).token
        let access = mint.issue(.access, to: 7, at: start).token
        let new = try mint.refresh(access: access, refresh: refresh, at: start) { _ in true }.get()
        let judged = [access, new.access].map { mint.judge($0, as: .access, at: start) }
        #expect(judged == [.expired(user: 7), .valid(user: 7)])
        // Whether a refresh token that was exchanged is good is the family's to say.
        #expect(mint.judge(refresh, as: .refresh, at: start) == .valid(user: 7))
    }

    @Test("A rotated key ends every token issued so far and none issued later")
    func rotation() {
        let mint = mint()
        let old = mint.issue(.access, to: 7, at: start).token
        let refresh = mint.issue(.refresh, to: 7, at: start).token
        mint.expireAll(.access, at: start)
        let later = start.advanced(byNanoseconds: 1)
        let new = mint.issue(.access, to: 7, at: later).token
        #expect(mint.judge(old, as: .access, at: later) == .expired(user: 7))
        #expect(mint.judge(new, as: .access, at: later) == .valid(user: 7))
        #expect(mint.judge(refresh, as: .refresh, at: later) == .valid(user: 7))
    }

    @Test("A log-out that ends access tokens, too, is not taken back by one that would not")
    func logOuts() {
        let mint = mint()
        let access = mint.issue(.access, to: 7, at: start).token
        let ends = [false, true, false].map { accessToo in
            mint.endSession(of: access, accessToo: accessToo)
            return mint.judge(access, as: .access, at: start) == .expired(user: 7)
        }
        #expect(ends == [false, true, true])
    }

    @Test("Jitter shortens a life by less than itself, differently for each token")
    func jitter() {
        var policy = TokenPolicy()
        policy.lifetimeJitterNanoseconds = 60_000_000_000
        let mint = mint(policy)
        let lives = (0..<100).map {
            mint.issue(.access, to: $0, at: start).expiry.nanoseconds - 1_000
        }
        #expect(lives.allSatisfy { $0 > 240_000_000_000 && $0 <= 300_000_000_000 })
        #expect(Set(lives).count == 100)
    }
}

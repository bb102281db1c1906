import SquallBackend
import Testing

@testable import SquallRaces

@Suite("Evidence in a history, and promises about crowds, writes and ends")
struct EvidenceStoryTests {
    /// What can be seen in a story.
    private static func shows(
        given setting: (inout History.Setting) -> Void, _ tell: (Story) -> Void = { _ in }
    ) -> Evidence {
        let story = Story()
        story.recorder.describe(setting)
        tell(story)
        story.recorder.close(.still)
        return story.recorder.history.evidence
    }

    private static func shows(_ tell: (Story) -> Void) -> Evidence {
        shows(given: { _ in }, tell)
    }

    @Test("The evidence of calls: replied, open at once, refused, sent again and late")
    func calls() {
        func call(_ story: Story, _ number: Int = 1, token: String? = "T0", attempt: Int = 0) {
            story.happens(.callBegan, call: number)
            story.happens(.sent, call: number, attempt: attempt, access: token)
        }
        #expect(Self.shows { call($0) }.isEmpty)
        #expect(
            Self.shows {
                call($0)
                $0.happens(.answered, call: 1, .success)
            } == .call)
        #expect(
            Self.shows {
                call($0)
                call($0, 2)
            } == .secondCall)
        #expect(
            Self.shows {
                call($0)
                $0.happens(.callFailed, call: 1)
                call($0, 2)
            }.isEmpty)
        #expect(
            Self.shows {
                call($0)
                $0.happens(.callBegan, call: 2)
                $0.happens(.sent, .refresh, call: 2)
            } == .refresh)
        func refused(twiceWith token: String?) -> Evidence {
            Self.shows {
                call($0)
                $0.happens(.answered, call: 1, .expired)
                if let token {
                    call($0, token: token, attempt: 1)
                    $0.happens(.answered, call: 1, attempt: 1, .expired)
                }
            }
        }
        #expect(refused(twiceWith: nil) == [.call, .refusal, .failure])
        #expect(refused(twiceWith: "T0") == [.call, .refusal, .failure, .sentAgain])
        #expect(refused(twiceWith: "T1") == [.call, .refusal, .failure, .sentAgain, .refusedAgain])
        let late = Self.shows {
            call($0)
            $0.happens(.sent, .refresh, call: 2)
            $0.happens(.answered, .refresh, call: 2, access: "T1", .success)
            $0.happens(.answered, call: 1, .expired)
        }
        #expect(
            late == [.call, .refusal, .lateRefusal, .failure, .refresh, .refreshAnswer, .refreshed])
    }

    @Test("The evidence of refreshes: their token, what they replace and their reply")
    func refreshes() {
        func refresh(
            _ answer: RaceEvent.Kind?, _ meaning: AnswerMeaning? = nil, access: String? = nil,
            token: String? = nil
        ) -> Evidence {
            Self.shows {
                $0.happens(.sent, .refresh, call: 1, access: access, refresh: token)
                if let answer { $0.happens(answer, .refresh, call: 1, meaning) }
            }
        }
        #expect(refresh(nil) == .refresh && refresh(nil, token: "R0") == [.refresh, .refreshToken])
        #expect(refresh(nil, access: "T0") == [.refresh, .replacement])
        #expect(refresh(.unanswered) == [.refresh, .failure])
        #expect(refresh(.answered, .success) == [.refresh, .refreshAnswer, .refreshed])
        #expect(refresh(.answered, .failure) == [.refresh, .refreshAnswer, .failure])
        #expect(
            refresh(.answered, .signedOut) == [.refresh, .refreshAnswer, .failure, .sessionEnd])
    }

    @Test("Store, writes, users and the world each give their own evidence and no other")
    func others() {
        func write(
            _ role: Endpoint.Role = .ordinary, _ meaning: AnswerMeaning = .success,
            isWrite: Bool = true
        ) -> Evidence {
            Self.shows { $0.happens(.served, role, call: 1, meaning) { $0.isWrite = isWrite } }
        }
        #expect(write() == .write && write(.refresh).isEmpty && write(.ordinary, .failure).isEmpty)
        #expect(write(isWrite: false).isEmpty)
        func stored(_ times: Int, token: String? = "T1") -> Evidence {
            Self.shows {
                for _ in 0..<times { $0.happens(.stored, access: "T0") }
                $0.happens(.stored)
                $0.happens(.callBegan, call: 1)
                $0.happens(.sent, call: 1, access: token)
            }
        }
        #expect(stored(0).isEmpty && stored(1) == .store)
        #expect(stored(2) == [.store, .storeChange, .callAfterChange])
        #expect(stored(2, token: nil) == [.store, .storeChange])
        #expect(Self.shows { $0.happens(.leaves) } == .leaving)
        #expect(Self.shows { $0.happens(.actEnded) } == .action)
        for kind in [RaceEvent.Kind.restarted, .cameBack] {
            #expect(Self.shows { $0.happens(kind) } == .comeBack)
        }
        #expect(Self.shows { $0.happens(.meanwhile, text: "rain") }.isEmpty)
        for (hasFaults, calm) in [(true, Evidence.calm), (false, [])] {
            #expect(
                Self.shows(given: { ($0.hasFaults, $0.calmFrom) = (hasFaults, 1_000_000_000) }) {
                    $0.happens(.actBegan, second: 1)
                } == calm)
        }
        #expect(
            Self.shows(given: { ($0.hasFaults, $0.calmFrom) = (true, 1) }) { $0.happens(.actBegan) }
                .isEmpty)
        #expect(Self.shows(given: { $0.isRotating = true }) == .rotation)
        #expect(
            Self.shows(given: { $0.users = 8 }) == .crowd
                && Self.shows(given: { $0.users = 7 }).isEmpty)
    }

    @Test("A second session is a sign-in that succeeds, or tokens of two people")
    func sessions() {
        func signIn(_ meaning: AnswerMeaning) -> Evidence {
            Self.shows { $0.happens(.answered, .signIn, call: 1, meaning) }
        }
        #expect(signIn(.success) == .secondSession && signIn(.failure) == .failure)
        #expect(
            Self.shows {
                $0.happens(.sent, call: 1, access: "T0")
                $0.happens(.sent, call: 1, access: "Z0", user: 1)
            } == .secondSession)
    }

    @Test("Half of a crowd within a second is a peak, and less, or a smaller crowd, is none")
    func crowd() {
        func peak(_ users: Int, of all: Int = 8, apart: Int64 = 0, _ role: Endpoint.Role = .refresh)
            -> [String]
        {
            Story.breaks(.spreadRefreshes, { $0.users = all }) { story in
                for user in 0..<users {
                    story.happens(.sent, role, call: 1, user: user, second: 0)
                    story.happens(
                        .served, role, call: 1, user: user, second: Int64(user) * apart)
                }
            }
        }
        #expect(peak(4) == ["peak"] && peak(3).isEmpty && peak(7, of: 7).isEmpty)
        #expect(peak(8, apart: 1).isEmpty && peak(8, .ordinary).isEmpty)
    }

    @Test("A write that took effect twice for one call is reported, and so is a double payment")
    func writes() {
        func twice(
            _ role: Endpoint.Role = .ordinary, _ kind: RaceEvent.Kind = .served,
            _ meaning: AnswerMeaning = .success, calls: [Int?] = [1, 1], users: [Int] = [0, 0],
            isWrite: Bool = true
        ) -> [String] {
            Story.breaks(.writesOnce) { story in
                for (call, user) in zip(calls, users) {
                    story.happens(kind, role, call: call, meaning, endpoint: "buy", user: user) {
                        $0.isWrite = isWrite
                    }
                }
            }
        }
        #expect(
            twice() == ["buy"] && twice(calls: [1, 2]).isEmpty && twice(users: [0, 1]).isEmpty)
        #expect(twice(.refresh).isEmpty && twice(.ordinary, .answered).isEmpty)
        #expect(twice(.ordinary, .served, .failure).isEmpty && twice(isWrite: false).isEmpty)
        #expect(twice(calls: [nil, nil]).isEmpty)
        let paid = AuditKind(
            "paid", one: "a", many: "b", meaning: "c", concern: .doublePayment)
        #expect(
            Story.breaks(.writesOnce) { $0.audits = [AuditFinding(paid, user: 0)] } == ["payment"])
    }

    @Test("A call that carried a token and is sent again without one is told")
    func anonymous() {
        func again(
            _ role: Endpoint.Role = .ordinary, first: String? = "T0", attempt: Int = 1,
            isAnonymous: Bool = true
        ) -> [String] {
            Story.breaks(.neverAnonymous) { story in
                story.happens(.sent, role, call: 1, access: first)
                story.happens(.sent, role, call: 1, attempt: attempt) {
                    $0.isAnonymous = isAnonymous
                }
            }
        }
        #expect(again() == ["anonymous"] && again(first: nil).isEmpty && again(.refresh).isEmpty)
        #expect(again(isAnonymous: false).isEmpty && again(attempt: 0).isEmpty)
    }

    @Test("A call that began and never ended is reported with how the run ended")
    func ends() {
        func open(_ ending: History.Ending, isAct: Bool = true, isEnded: Bool = false) -> [String] {
            Story.violations(.everythingEnds, ending: ending) { story in
                story.happens(.actBegan, attempt: 3, text: "reading", user: 1)
                if isEnded || !isAct { story.happens(.actEnded, attempt: 3, user: 1) }
                story.happens(.callBegan, call: 4, user: 1)
                if isEnded { story.happens(.callEnded, call: 4, user: 1) }
            }.map { "\($0.text) \($0.cause) \($0.events)" }
        }
        let reading = "reading of user 1 never ended,"
        #expect(open(.still) == ["\(reading) and no event is left still [0, 1]"])
        #expect(open(.outOfTime) == ["\(reading) and loops without progress outOfTime [0, 1]"])
        #expect(
            open(.spinning) == ["\(reading) and spins while time stands still spinning [0, 1]"])
        #expect(
            open(.still, isAct: false) == [
                "call 4 never ended, and no event is left call [2]"
            ])
        #expect(open(.outOfTime, isAct: false).isEmpty && open(.still, isEnded: true).isEmpty)
    }

    @Test("Tokens are stored in their order and as a pair")
    func pairs() {
        func stored(_ pairs: [(String?, String?)]) -> [String] {
            Story.violations(.atomicPair) { story in
                for number in 0...1 {
                    story.happens(.issued, access: "T\(number)", refresh: "R\(number)")
                }
                for (access, refresh) in pairs {
                    story.happens(.stored, access: access, refresh: refresh)
                }
            }.map(\.text)
        }
        #expect(stored([("T0", "R0"), ("T1", "R1")]).isEmpty)
        #expect(stored([("T1", "R0"), ("T0", "R0")]) == ["T0 was stored over T1"])
        #expect(stored([("T0", "R1"), ("T1", "R0")]) == ["R0 was stored over R1"])
        #expect(stored([("T0", "R0"), ("T1", nil)]) == ["T1 is stored without a refresh token"])
        #expect(stored([("T0", nil), ("T1", nil)]).isEmpty)
        #expect(stored([("T0", "R0"), (nil, "R1"), (nil, nil)]).isEmpty)
    }
}

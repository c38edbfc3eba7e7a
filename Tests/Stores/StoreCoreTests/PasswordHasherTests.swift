import MarketModel
import StoreCore
import Testing

@Suite struct PasswordHasherTests {
  private let hasher = PasswordHasher(cost: .least)

  @Test func `the standard is Argon2id with 19 MiB and two passes`() async throws {
    let hash = try await PasswordHasher().hash(Password("openmarket"))

    #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    #expect(try await hasher.matches(Password("openmarket"), hash))
    #expect(try await !hasher.matches(Password("openmarket "), hash))
  }

  @Test func `one password has another hash each time`() async throws {
    let password = Password("secret")

    #expect(try await hasher.hash(password) != hasher.hash(password))
  }

  @Test func `whoever waits for too long is refused, and the others get their turn`() async throws {
    let cost = PasswordHasher.Cost(passes: 1, bytes: 4 << 20)
    let hasty = PasswordHasher(
      cost: cost, lanes: PasswordHasher.Lanes(count: 2, patience: .zero))
    let patient = PasswordHasher(cost: cost, lanes: PasswordHasher.Lanes(count: 2))

    for (hasher, areAllServed) in [(hasty, false), (patient, true)] {
      let refusals = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<100 {
          group.addTask {
            do throws(PasswordHasher.Failure) {
              return try await hasher.hash(Password("secret")).isEmpty
            } catch {
              return true
            }
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }

      #expect((refusals == 0) == areAllServed)
      // Two had their lanes at once.
      #expect(refusals <= 98)
      #expect(try await hasher.matches(Password("secret"), hasher.hash(Password("secret"))))
    }
  }

  @Test(arguments: [
    "", "secret", "$argon2id$", "$argon2id$v=19$m=4194304,t=2,p=1$c2FsdHNhbHQ$aGFzaA",
    "$argon2id$v=19$m=19456,t=999999,p=1$c2FsdHNhbHQ$aGFzaA", "$argon2id$v=19$m=x,t=y,p=1$a$b",
  ])
  func `what is no hash, or one that costs too much, matches nothing`(hash: String)
    async throws
  {
    #expect(try await !hasher.matches(Password("secret"), hash))
  }
}

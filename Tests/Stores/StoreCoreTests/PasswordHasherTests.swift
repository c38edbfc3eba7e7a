import MarketModel
import StoreCore
import Testing

@Suite struct PasswordHasherTests {
  private let hasher = PasswordHasher(cost: .least)

  @Test func `the standard is Argon2id with 19 MiB and two passes`() async throws {
    let hash = try await PasswordHasher().hash(Password("openmarket"))

    #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    #expect(await hasher.matches(Password("openmarket"), hash))
    #expect(await !hasher.matches(Password("openmarket "), hash))
  }

  @Test func `one password has another hash each time`() async throws {
    let password = Password("secret")

    #expect(try await hasher.hash(password) != hasher.hash(password))
  }

  @Test(arguments: [
    "", "secret", "$argon2id$", "$argon2id$v=19$m=4194304,t=2,p=1$c2FsdHNhbHQ$aGFzaA",
    "$argon2id$v=19$m=19456,t=999999,p=1$c2FsdHNhbHQ$aGFzaA", "$argon2id$v=19$m=x,t=y,p=1$a$b",
  ])
  func `what is no hash, or one that costs too much, matches nothing`(hash: String) async {
    #expect(await !hasher.matches(Password("secret"), hash))
  }
}

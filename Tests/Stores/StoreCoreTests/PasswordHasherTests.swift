import Expectations
import MarketModel
import SafeTextKit
import TestSupport
import Testing

@testable import StoreCore

struct PasswordHasherTests {
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

  /// Made of the bytes as they came, as markets of before did.
  @Test(arguments: [
    (
      "각 café",
      "$argon2id$v=19$m=8,t=1,p=1$cxmx0AHKaLPib18aOUDgUQ$uvw+sqw7HyDJ+jpRo5AqBdrqMUwheGxBGFlKL6VQ5aQ",
      true
    ),
    (
      "\u{1100}\u{1161}\u{11A8} cafe\u{301}",
      "$argon2id$v=19$m=8,t=1,p=1$lHN6H364ylmr+X9vu5nCMw$MIU1q2SjWypXQPWE3/MLNEvssT1B6zHHFeDJR+Flo1M",
      true
    ),
    (
      "각 cafe\u{301}",
      "$argon2id$v=19$m=8,t=1,p=1$wkMZGHzjKZkB9TsIQvB3hg$VNlfO/0mtoAr+KK6xfONtejAfBJoyBIQNTm4Tnkf7FU",
      false
    ),
  ])
  func `a password that was hashed as it came is right as it came, and composed where it was that`(
    typed: String, hash: String, isFormal: Bool
  ) async throws {
    #expect(try await hasher.matches(Password(typed), hash))
    // From a text in form C, what was neither C nor D cannot be found.
    try await expect(hasher.matches(Password("각 café"), hash), isFormal)
    #expect(try await !hasher.matches(Password("각 cafe"), hash))
  }

  @Test func `whatever the form, a password opens what any other form has hashed`() async throws {
    var random = SeededRandom(seed: 11)
    // Letters that compose, several marks out of order, a mark without a letter, and none of it.
    let letters = [
      "가", "각", "é", "\u{1E69}", "q\u{323}\u{307}", "\u{301}", "A", " ", "ﬁ", "Å", "☕️",
    ]
    for _ in 0..<20 {
      let text = (0..<6).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
      let forms = [text, Self.text(text, .composed), Self.text(text, .decomposed)]

      let hash = try await hasher.hash(Password(forms.randomElement(using: &random) ?? text))

      for form in forms { #expect(try await hasher.matches(Password(form), hash), "\(text)") }
      #expect(try await !hasher.matches(Password(text + "a"), hash))
    }
  }

  @Test func `what is too long to be a password is compared as it came`() async throws {
    let long = String(repeating: "e\u{301}", count: 100_000)

    #expect(try await hasher.matches(Password(long), hasher.hash(Password(long))))
  }

  private static func text(_ text: String, _ form: NormalizationForm) -> String {
    var text = text
    return text.withUTF8 { bytes in
      form.withBytes(of: bytes) { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  @Test func `whoever waits for too long is refused, and the others get their turn`() async throws {
    let cost = PasswordHasher.Cost(passes: 1, bytes: 4 << 20)
    let hasty = PasswordHasher(
      cost: cost, lanes: PasswordHasher.Lanes(count: 2, timeout: .zero))
    let patient = PasswordHasher(cost: cost, lanes: PasswordHasher.Lanes(count: 2))

    for (hasher, areAllServed) in [(hasty, false), (patient, true)] {
      let refusals = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<100 {
          group.addTask {
            do throws(RepositoryError) {
              return try await hasher.hash(Password("secret")).isEmpty
            } catch {
              return true
            }
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }

      expect(refusals == 0, areAllServed)
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

import Expectations
import MarketModel
import TestSupport
import Testing
import TextCoding

@testable import StoreCore

struct RegistrationIntentTests {
  private func digest(of registration: ProductRegistration) -> [UInt8] {
    let key = IdempotencyKey(rawValue: "1")
    return RegistrationIntent(author: .guest, key: key, registration).digest
  }

  @Test(arguments: ProductField.valued)
  func `whatever differs in a registration makes it another one`(_ field: ProductField) {
    let plain = ProductRegistration.sample()
    var other = plain

    other.set([field: FieldSample[field].value].compactMapValues(\.self))

    #expect(digest(of: other) != digest(of: plain))
  }

  @Test func `other pictures make another registration, and another password does not`() {
    let plain = ProductRegistration.sample()
    let other = ProductRegistration.sample(pictures: [PictureFile.jpeg(1), PictureFile.jpeg(2)])

    #expect(digest(of: other) != digest(of: plain))
    // A hash as fast as the digest would be a way to guess the password.
    expect(digest(of: .sample(password: "other")), digest(of: plain))
  }

  @Test func `the digest of a registration is what stores keep of it`() {
    let registration = ProductRegistration.sample(
      name: "Lamp", description: "Bright.", price: 25, discount: 5, currency: .usd, stock: 2,
      pictures: [[1, 2, 3]])

    expect(
      Hexadecimal.text(of: digest(of: registration)),
      "b7b8f4196457b21f163d3f38f0b599205e5550660fa7ebcfda14c7785bef208b")
  }
}

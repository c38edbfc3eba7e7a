import MarketModel
import StoreCore
import TestSupport
import Testing

@Suite struct RegistrationIntentTests {
  private static let complete = ArchivedProduct.complete

  /// A registration of the complete product.
  private static let registration = ProductRegistration(
    name: complete.name, description: complete.description, price: complete.price.full,
    discountHundredths: complete.price.discountHundredths, stock: complete.stock,
    pictures: [PictureFile.jpeg(1)], password: Password("secret"))

  /// The registration with one property changed each, by the name of the property.
  private static var variations: [String: ProductRegistration] {
    func changed(_ change: (inout ProductRegistration) -> Void) -> ProductRegistration {
      var registration = registration
      change(&registration)
      return registration
    }
    return [
      "name": changed { $0.name += "!" }, "description": changed { $0.description += "!" },
      "price": changed { $0.price = Money(hundredths: 2_000, currency: .usd) },
      "discountHundredths": changed { $0.discountHundredths += 1 },
      "stock": changed { $0.stock += 1 },
      "pictures": changed { $0.pictures.append(PictureFile.jpeg(2)) },
    ]
  }

  private func digest(of registration: ProductRegistration) -> [UInt8] {
    let key = IdempotencyKey(rawValue: "1")
    return RegistrationIntent(author: .guest, key: key, registration).digest
  }

  @Test func `a draft has all that was to be registered`() {
    let seller = Seller(id: Seller.ID(rawValue: 17), name: "Ana")
    let draft = RegistrationDraft(
      Self.registration, price: Self.complete.price, pictures: [],
      passwordHash: Self.complete.passwordHash)

    let product = draft.product(of: seller, at: Self.complete.created)

    // Which only what exists already has, or the database gives.
    #expect(
      differentProperties(product, Self.complete) == [
        "changed", "id", "pictures", "seller", "version",
      ])
    #expect(product.seller == ArchivedSeller(id: seller.id, name: seller.name))
  }

  @Test func `whatever differs in a registration makes it another one`() {
    let names = Mirror(reflecting: Self.registration).children.compactMap(\.label)

    // A hash as fast as the digest would be a way to guess the password.
    #expect(Set(names) == Set(Self.variations.keys).union(["password"]))
    for (name, variation) in Self.variations {
      #expect(digest(of: variation) != digest(of: Self.registration), "\(name)")
    }
  }
}

import MarketModel

/// A registration that keeps the rules, with its password hashed and its pictures ready.
struct RegistrationDraft: Sendable {
  let name: String
  let description: String
  let price: Price?
  let stock: Int64
  let pictures: [PreparedPicture]
  let passwordHash: String

  init(_ registration: ProductRegistration, pictures: [PreparedPicture], passwordHash: String) {
    name = registration.name
    description = registration.description
    price = Price(
      full: registration.price, discountHundredths: registration.discountHundredths)
    stock = registration.stock
    self.pictures = pictures
    self.passwordHash = passwordHash
  }
}

import MarketModel

/// A value of one field that no product has by itself: what tests put into it and look for again.
///
/// A new field gets one here, and with that a place in every test that goes over all fields.
package struct FieldSample: Sendable {
  /// Nil for the password, which is no value.
  package let value: FieldValue?
  /// What one types into the field for it, or chooses; empty for photos.
  package let text: String

  private init(_ value: FieldValue?, _ text: String = "") {
    self.value = value
    self.text = text
  }

  package static subscript(field: ProductField) -> FieldSample {
    switch field {
    case .pictures: FieldSample(.pictures(["front.jpg", "back.jpg"]))
    case .name: FieldSample(.text("Road bike, 54 cm"), "Road bike, 54 cm")
    case .price: FieldSample(.amount(432_100), "4321")
    case .currency: FieldSample(.code("USD"), "USD")
    case .discount: FieldSample(.amount(2_100), "21")
    case .stock: FieldSample(.number(77), "77")
    case .category: FieldSample(.code("sports"), "sports")
    case .condition: FieldSample(.code("like-new"), "like-new")
    case .place: FieldSample(.text("Seoul, Mapo"), "Seoul, Mapo")
    case .reserved, .questionsClosed: FieldSample(.yes, "yes")
    case .description: FieldSample(.text("Ridden for one summer."), "Ridden for one summer.")
    case .password: FieldSample(nil, "apple-tree")
    case .sellerName: FieldSample(nil, "Ana")
    case .sellerContact: FieldSample(nil, "ana@example.org")
    }
  }
}

extension FieldValues {
  /// A value of every field that has one.
  package static let sample = FieldValues(
    uniqueKeysWithValues: ProductField.allCases.compactMap { field in
      FieldSample[field].value.map { (field, $0) }
    })

  /// Another value of each of these fields, as a plain product has it: nothing is said of what may be
  /// left unsaid.
  package static let plain = ProductDetail.sample().fieldValues
}

extension ProductField {
  /// The fields that have values, of which a market reads back what was registered.
  package static let valued = allCases.filter {
    FieldSample[$0].value != nil && $0.kind != .pictures
  }
}

/// Products in which everything is other than in one that says as little as may be.
extension ProductDetail {
  package static func full() -> ProductDetail {
    let seller = Seller(id: Seller.ID(rawValue: 17), name: "Ana")
    let pictures = ["front.jpg", "back.jpg"].map { Picture(original: $0, thumbnail: $0 + "-small") }
    var detail = ProductDetail.sample(
      of: .sample(id: 41, seller: seller, created: 1_600_000_001, thumbnail: pictures.first),
      description: "", pictures: pictures, version: ProductVersion(rawValue: "3"))
    detail.product.changed = Timestamp(seconds: 1_700_000_002)
    detail.set(.sample)
    (detail.questionCount, detail.unansweredCount) = (7, 3)
    return detail
  }

  package static func least() -> ProductDetail {
    ProductDetail(
      product: Product(
        id: Product.ID(rawValue: 0), seller: .guest, name: "", pricing: .unreadable, stock: 0,
        created: Timestamp(seconds: 0), changed: Timestamp(seconds: 0), thumbnail: nil),
      description: "", pictures: [], version: nil)
  }
}

extension ProductRegistration {
  package static func full(password: String = "secret") -> ProductRegistration {
    ProductRegistration(
      .sample, pictures: [PictureFile.jpeg(1), PictureFile.jpeg(2)], password: Password(password))
  }

  package static func least() -> ProductRegistration {
    ProductRegistration([:], pictures: [], password: Password(""))
  }
}

extension ProductPatch {
  package static func full() -> ProductPatch {
    var patch = ProductPatch(pictures: .list([.new(PictureFile.jpeg(3))]), isInUnits: true)
    patch.set(.sample)
    return patch
  }
}

extension ArchivedProduct {
  package static let full: ArchivedProduct = {
    var product = blank
    product.id = Product.ID(rawValue: 41)
    product.seller = ArchivedSeller(
      id: Seller.ID(rawValue: 17), name: "Ana", identifierHash: (0..<32).map { UInt8($0) },
      contact: SellerContact("ana@example.com"))
    product.created = 1_600_000_001
    product.changed = 1_700_000_002
    product.version = 5
    product.passwordHash = "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaA"
    product.set(.sample)
    let question = Question(
      id: Question.ID(rawValue: 9), product: Product.ID(rawValue: 41), text: "Is it there?",
      offer: Money(hundredths: 4_000, currency: .usd), asker: "Mina",
      asked: Timestamp(seconds: 1_650_000_000),
      answer: Question.Answer(text: "Yes.", given: Timestamp(seconds: 1_650_000_060)))
    let asker = ArchivedSeller(
      id: Seller.ID(rawValue: 18), name: "Mina", identifierHash: (1..<33).map { UInt8($0) })
    product.questions = [ArchivedQuestion(question, by: asker)]
    return product
  }()

  /// The same with texts that are hard to carry.
  package static let complete: ArchivedProduct = {
    var product = full
    product.name = "Lamp \u{0}한글"
    product.description = "Barely\nused."
    product.pictures = ["one", "two"]
    return product
  }()

  /// A product of which nothing is known.
  package static let blank: ArchivedProduct = {
    guard var product = ArchivedProduct([.price: .amount(0)], created: 0, changed: 0) else {
      preconditionFailure("nothing is a price")
    }
    product.seller = ArchivedSeller(id: nil, name: "")
    return product
  }()
}

import MarketModel

extension RepositoryContract {
  static let registering = [
    RepositoryContract("what is registered is read back as it was") { repository in
      let registration = ProductRegistration.sample(
        name: "갤럭시 버즈 \u{1B}[31m", description: "두 줄\n\u{0}끝", price: 1_690_000, discount: 90_000,
        stock: 1 << 53, pictures: [PictureFile.jpeg(1), PictureFile.jpeg(2)])

      let detail = try await repository.register(registration)
      let read = try await repository.detail(of: detail.id)

      try promise(read, is: detail)
      try promise(read.product.name, is: registration.name)
      try promise(read.description, is: registration.description)
      try promise(read.product.pricing.price?.full, is: registration.price)
      try promise(read.product.pricing.price?.discountHundredths, is: 9_000_000)
      try promise(read.product.stock, is: 1 << 53)
      try promise(read.product.seller, is: .guest)
      try promise(read.pictures.count, is: 2)
      try promise(read.product.thumbnail, is: read.pictures.first)
    },
    RepositoryContract("every field is registered and read back") { repository in
      for field in ProductField.valued {
        let registration = ProductRegistration.sample().saying(field)

        let detail = try await repository.register(registration)
        let read = try await repository.detail(of: detail.id)

        try promise(read, is: detail)
        try promise(read[field], is: FieldSample[field].value)
        try promise(read.fieldValues.merging(registration.fieldValues) { $1 }, is: read.fieldValues)
      }
    },
    RepositoryContract("ids rise and are never used again") { repository in
      let first = try await repository.register(.sample())
      let second = try await repository.register(.sample())
      _ = try await repository.delete(second.id, password: Password("secret"), by: .guest)

      let third = try await repository.register(.sample())

      try promise(first.id < second.id && second.id < third.id, "ids do not rise")
    },
    RepositoryContract("one key registers once") { repository in
      let key = IdempotencyKey(rawValue: "one intent")
      let first = try await repository.register(.sample(name: "Mug"), by: .guest, key: key)

      let second = try await repository.register(.sample(name: "Mug"), by: .guest, key: key)
      let other = try await repository.register(.sample(name: "Mug"), by: .named("b"), key: key)

      try promise(second.id, is: first.id)
      try promise(other.id != first.id, "another seller's key is another key")
      try promise(try await repository.names(), is: ["Mug", "Mug"])
    },
    RepositoryContract("a key is for one product, also when that is gone") { repository in
      let key = IdempotencyKey(rawValue: "one intent")
      let pictures = [PictureFile.jpeg(1), PictureFile.jpeg(2)]
      let registration = ProductRegistration.sample(
        name: "Mug", price: 100, discount: 10, pictures: pictures)
      let first = try await repository.register(registration, by: .guest, key: key)
      var others = ProductField.valued.map { registration.saying($0) }
      others.append(registration)
      others[others.count - 1].pictures.reverse()

      for isGone in [false, true] {
        if isGone {
          _ = try await repository.delete(first.id, password: Password("secret"), by: .guest)
        }
        let again = try await repository.register(registration, by: .guest, key: key)
        try promise(again, is: first)
        for other in others {
          try await promise(.keyReused) { () throws(RepositoryError) in
            try await repository.register(other, by: .guest, key: key)
          }
        }
      }

      try promise(try await repository.names(), is: [])
    },
    RepositoryContract("what breaks the rules is refused by field and leaves nothing") {
      repository in
      let registration = ProductRegistration.sample(
        name: "", price: 10, discount: 11, stock: -1, pictures: [])

      try await promise(
        .invalid([
          FieldError(.pictures, .missing), FieldError(.name, .missing),
          FieldError(.discount, .abovePrice(priceHundredths: 1_000)),
          FieldError(.stock, .negative),
        ])
      ) { () throws(RepositoryError) in
        try await repository.register(
          registration, by: .guest, key: IdempotencyKey(rawValue: "key"))
      }

      try promise(try await repository.names(), is: [])
    },
    RepositoryContract("a seller is known by its identifier and has a name") { repository in
      let identifier = SellerIdentifier(secret: "00000000-0000-0000-0000-00000000000a")

      let renamed = try await repository.rename(identifier, to: "영희네 가게")
      let again = try await repository.seller(of: identifier)
      let product = try await repository.register(.sample(), by: .seller(identifier)).product

      try promise(renamed.name, is: "영희네 가게")
      try promise(again, is: renamed)
      try promise(product.seller, is: renamed)
    },
    RepositoryContract("how a seller is reached stands in details and never in lists") {
      repository in
      let identifier = SellerIdentifier(secret: "00000000-0000-0000-0000-00000000000a")
      let contact = SellerContact(" hana@example.com ")
      let id = try await repository.register(.sample(), by: .seller(identifier)).id
      let named = try await repository.rename(identifier, to: "Hana")

      let said = try await repository.change(
        identifier, SellerChange(contact: contact.map { .set($0) }))
      let detail = try await repository.detail(of: id)
      let listed = try await repository.page(PageRequest()).products
      let takenBack = try await repository.change(identifier, SellerChange(contact: .removed))

      try promise(said.name, is: "Hana")
      try promise(said.contact?.text, is: "hana@example.com")
      try promise(detail.product.seller, is: said)
      try promise(listed.map(\.seller), is: [named])
      try promise(takenBack, is: named)
      try promise(try await repository.seller(of: identifier), is: named)
    },
    RepositoryContract("asking who somebody is makes nobody a seller") { repository in
      let stranger = SellerIdentifier(secret: "00000000-0000-0000-0000-00000000000b")

      let first = try await repository.seller(of: stranger)
      let other = try await repository.register(.sample(), by: .named("a")).product.seller
      let own = try await repository.register(.sample(), by: .seller(stranger)).product.seller

      try promise(first, is: nil)
      // The read of an unknown seller has used up no number.
      try promise(own.id.rawValue, is: other.id.rawValue + 1)
      try promise(try await repository.seller(of: stranger), is: own)
    },
    RepositoryContract("a new name of a seller is on its products, and they are found by it") {
      repository in
      let identifier = SellerIdentifier(secret: "00000000-0000-0000-0000-00000000000a")
      _ = try await repository.rename(identifier, to: "Old Barn")
      _ = try await repository.register(.sample(name: "Mug"), by: .seller(identifier))

      _ = try await repository.rename(identifier, to: "New House")

      let page = try await repository.page(PageRequest())
      try promise(page.products.map(\.seller.name), is: ["New House"])
      try promise(try await repository.names(ProductQuery(text: "barn")), is: [])
      try promise(try await repository.names(ProductQuery(text: "house")), is: ["Mug"])
    },
  ]
}

extension ProductRegistration {
  /// The same with the sample of one field.
  func saying(_ field: ProductField) -> ProductRegistration {
    var registration = self
    registration.set([field: FieldSample[field].value].compactMapValues(\.self))
    return registration
  }
}

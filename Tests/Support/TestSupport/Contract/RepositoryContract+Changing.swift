import MarketModel

extension RepositoryContract {
  static let changing = [
    RepositoryContract("an edit changes what it names and nothing else") { repository in
      let before = try await repository.register(.sample(name: "mug", price: 100, stock: 3))

      let after = try await repository.update(
        before.id, with: ProductPatch(stock: 0), password: Password("secret"), by: .guest,
        expecting: before.version)

      try promise(after.product.stock, is: 0)
      try promise(after.product.name, is: "mug")
      try promise(after.product.pricing, is: before.product.pricing)
      try promise(after.version != before.version, "the version is the same")
      try promise(try await repository.detail(of: before.id), is: after)
      try promise(try await repository.names(ProductQuery(filters: [.inStock])), is: [])
    },
    RepositoryContract("every field is changed by itself") { repository in
      for field in ProductField.valued {
        let before = try await repository.register(.sample())
        var patch = ProductPatch()
        patch.set([field: FieldSample[field].value].compactMapValues(\.self))

        let after = try await repository.update(
          before.id, with: patch, password: Password("secret"), by: .guest, expecting: nil)

        var expected = before.fieldValues
        expected[field] = FieldSample[field].value
        try promise(after.fieldValues, is: expected)
        try promise(try await repository.detail(of: before.id), is: after)
      }
    },
    RepositoryContract("an edit of one field leaves all others, and takes back what it says") {
      repository in
      for field in ProductField.valued {
        let before = try await repository.register(.full())
        var patch = ProductPatch()
        patch.set([field: FieldValues.plain[field]].compactMapValues(\.self))

        let after = try await repository.update(
          before.id, with: patch, password: Password("secret"), by: .guest, expecting: nil)

        var expected = before.fieldValues
        expected[field] = FieldValues.plain[field]
        try promise(after.fieldValues, is: expected)
        try promise(try await repository.detail(of: before.id), is: after)
      }
    },
    RepositoryContract("a discount follows the price as each dialect means it") { repository in
      for (patch, full, discount) in [
        (ProductPatch(priceHundredths: 2_000, discount: .keepPriceToPay), 2_000, 1_250),
        (ProductPatch(priceHundredths: 700, discount: .keepPriceToPay), 700, 0),
        (ProductPatch(discount: .priceToPay(1_000)), 1_000, 0),
        (ProductPatch(discount: .priceToPay(400)), 1_000, 600),
        (ProductPatch(priceHundredths: 500), 500, 250),
        (ProductPatch(discount: .amount(10)), 1_000, 10),
      ] as [(ProductPatch, Int64, Int64)] {
        var registration = ProductRegistration.sample(price: 10)
        registration.discountHundredths = 250
        let id = try await repository.register(registration).id

        let detail = try await repository.update(
          id, with: patch, password: Password("secret"), by: .guest, expecting: nil)

        try promise(detail.product.pricing.price?.full.hundredths, is: full)
        try promise(detail.product.pricing.price?.discountHundredths, is: discount)
      }
    },
    RepositoryContract("an edit that breaks the rules changes nothing") { repository in
      let before = try await repository.register(.sample(price: 10, discount: 5))

      try await promise(
        .invalid([FieldError(.discount, .abovePrice(priceHundredths: 100))])
      ) { () throws(RepositoryError) in
        try await repository.update(
          before.id, with: ProductPatch(name: "other", priceHundredths: 100),
          password: Password("secret"), by: .guest, expecting: nil)
      }

      try promise(try await repository.detail(of: before.id), is: before)
    },
    RepositoryContract("an edit of an old version is refused with what is there now") {
      repository in
      let old = try await repository.register(.sample())
      let new = try await repository.update(
        old.id, with: ProductPatch(name: "new"), password: Password("secret"), by: .guest,
        expecting: old.version)

      try await promise(.conflict(current: new)) { () throws(RepositoryError) in
        try await repository.update(
          old.id, with: ProductPatch(name: "newer"), password: Password("secret"), by: .guest,
          expecting: old.version)
      }
    },
    RepositoryContract("pictures are added, dropped, kept and moved") { repository in
      let password = Password("secret")
      let before = try await repository.register(
        .sample(pictures: [PictureFile.jpeg(1), PictureFile.jpeg(2), PictureFile.jpeg(3)]))
      let second = before.pictures[1]

      let moved = try await repository.update(
        before.id, with: ProductPatch(pictures: .thumbnail(number: second.number ?? 0)),
        password: password, by: .guest, expecting: nil)
      let replaced = try await repository.update(
        before.id,
        with: ProductPatch(pictures: .list([.new(PictureFile.jpeg(4)), .kept(second)])),
        password: password, by: .guest, expecting: nil)

      try promise(moved.pictures, is: [second, before.pictures[0], before.pictures[2]])
      try promise(moved.product.thumbnail, is: second)
      try promise(replaced.pictures.count, is: 2)
      try promise(replaced.pictures[1], is: second)
      try promise(replaced.product.thumbnail, is: replaced.pictures[0])
      try await promise(.invalid([FieldError(.pictures, .unreadable)])) {
        () throws(RepositoryError) in
        try await repository.update(
          before.id, with: ProductPatch(pictures: .list([.kept(before.pictures[0])])),
          password: password, by: .guest, expecting: nil)
      }
    },
    RepositoryContract("photos are kept by their numbers alone") { repository in
      let id = try await repository.register(
        .sample(pictures: [PictureFile.jpeg(1), PictureFile.jpeg(2), PictureFile.jpeg(3)])
      ).id
      let before = try await repository.detail(of: id).pictures
      let named = before.map { Picture(number: $0.number, original: "", thumbnail: "") }

      let list =
        [.kept(named[2]), .new(PictureFile.jpeg(4)), .kept(named[0])]
        as [ProductPatch.Pictures.Element]
      let after = try await repository.update(
        id, with: ProductPatch(pictures: .list(list)), password: Password("secret"), by: .guest,
        expecting: nil)

      try promise(after.pictures.count, is: 3)
      try promise(after.pictures[0], is: before[2])
      try promise(after.pictures[2], is: before[0])
      try promise(!before.contains(after.pictures[1]), "the new photo is an old one")
      try promise(try await repository.detail(of: id), is: after)
    },
    RepositoryContract("what is deleted is gone from everywhere") { repository in
      let kept = try await repository.register(.sample(name: "kept"))
      let detail = try await repository.register(.sample(name: "gone"))

      let deleted = try await repository.delete(
        detail.id, password: Password("secret"), by: .guest)

      try promise(deleted, is: detail)
      let page = try await repository.page(PageRequest())
      try promise(page.products, is: [kept.product])
      try promise(page.total, is: .exactly(1))
      try await promise(.notFound) { () throws(RepositoryError) in
        try await repository.detail(of: detail.id)
      }
    },
  ]
}

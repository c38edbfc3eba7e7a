import MarketModel

extension RepositoryContract {
  static let searching = [
    RepositoryContract("all words must occur, each as a part of any text") { repository in
      let identifier = SellerIdentifier(secret: "00000000-0000-0000-0000-00000000000a")
      _ = try await repository.rename(identifier, to: "Barn")
      _ = try await repository.register(
        .sample(name: "갤럭시 버즈2 프로", description: "Earbuds, hardly used"),
        by: .seller(identifier))
      _ = try await repository.register(.sample(name: "자전거", description: "바퀴 26인치"))

      for (text, names) in [
        ("버즈", ["갤럭시 버즈2 프로"]), ("럭시 earBUD", ["갤럭시 버즈2 프로"]),
        ("barn 프로", ["갤럭시 버즈2 프로"]), ("버즈 자전거", []), ("시버", []), ("즈2", ["갤럭시 버즈2 프로"]),
        ("거", ["자전거"]), ("퀴", ["자전거"]), ("2", ["자전거", "갤럭시 버즈2 프로"]),
        ("s, h", ["갤럭시 버즈2 프로"]), ("  ", ["자전거", "갤럭시 버즈2 프로"]), ("없는", []),
      ] {
        try promise(try await repository.names(ProductQuery(text: text)), is: names)
      }
    },
    RepositoryContract("what a query's language would mean is looked for as it stands") {
      repository in
      _ = try await repository.register(.sample(name: #"5" NOT* (a OR b) 100%_x'"#))
      _ = try await repository.register(.sample(name: "plain"))

      for text in [#"5""#, "NOT*", "(a", "OR b)", "100%", "%_x'", "_x'", "*"] {
        try promise(
          try await repository.names(ProductQuery(text: text)), is: [#"5" NOT* (a OR b) 100%_x'"#])
      }
      for text in [#"""#, "AND", "NEAR(pl", "pl*", "p_ain", "%", "grams:plain", "^plain", "\u{0}x"]
      {
        _ = try await repository.names(ProductQuery(text: text))
      }
      try promise(try await repository.names(ProductQuery(text: "pl*")), is: [])
      try promise(try await repository.names(ProductQuery(text: "p_ain")), is: [])
      try promise(try await repository.names(ProductQuery(text: "grams:plain")), is: [])
    },
    RepositoryContract("a search for nothing that can be looked for finds nothing") { repository in
      _ = try await repository.register(.sample(name: "mug"))
      _ = try await repository.register(
        .sample(name: "x\u{301}\u{301}", description: "\u{301}\u{301} and \u{200B} alone"))

      for text in ["\u{0}", "\u{7}\u{1B}", " \u{0} ", "\u{301}\u{301}", "\u{200B}", "!?"] {
        let page = try await repository.page(PageRequest(query: ProductQuery(text: text)))
        try promise(page == .nothing, "\(text.unicodeScalars.map(\.value)) finds \(page.products)")
      }
      try promise(try await repository.names(ProductQuery(text: "mug \u{0}")), is: ["mug"])
      try promise(try await repository.names(ProductQuery(text: "")).count, is: 2)
    },
    RepositoryContract("a search keeps orders, filters, sellers and pages") { repository in
      let identifier = SellerIdentifier(secret: "00000000-0000-0000-0000-00000000000a")
      let seller = try await repository.rename(identifier, to: "Barn")
      for number in Int64(1)...9 {
        _ = try await repository.register(
          .sample(
            name: "mug \(number)", price: 100 * number, discount: number % 2, stock: number % 3),
          by: number % 4 == 0 ? .seller(identifier) : .guest)
      }

      try promise(
        try await repository.allNames(ProductQuery(text: "mug", order: .cheapest), size: 2),
        is: (1...9).map { "mug \($0)" })
      try promise(
        try await repository.allNames(ProductQuery(text: "mug"), size: 2),
        is: (1...9).reversed().map { "mug \($0)" })
      try promise(
        try await repository.names(ProductQuery(text: "mug", filters: [.inStock, .reduced])),
        is: ["mug 7", "mug 5", "mug 1"])
      try promise(
        try await repository.names(ProductQuery(text: "mug", sellers: [seller.id])),
        is: ["mug 8", "mug 4"])
      try promise(
        try await repository.names(ProductQuery(order: .cheapest, sellers: [seller.id])),
        is: ["mug 4", "mug 8"])
      let page = try await repository.page(
        PageRequest(query: ProductQuery(text: "mug"), position: .number(2), size: 4))
      try promise(page.products.map(\.name), is: ["mug 5", "mug 4", "mug 3", "mug 2"])
      try promise(page.total, is: .exactly(9))
    },
    RepositoryContract("a changed or deleted product is found by what it says now") { repository in
      let password = Password("secret")
      let mug = try await repository.register(.sample(name: "mug")).id
      let cup = try await repository.register(.sample(name: "cup")).id

      _ = try await repository.update(
        mug, with: ProductPatch(name: "glass"), password: password, by: .guest, expecting: nil)
      _ = try await repository.delete(cup, password: password, by: .guest)

      try promise(try await repository.names(ProductQuery(text: "mug")), is: [])
      try promise(try await repository.names(ProductQuery(text: "cup")), is: [])
      try promise(try await repository.names(ProductQuery(text: "glass")), is: ["glass"])
    },
  ]
}

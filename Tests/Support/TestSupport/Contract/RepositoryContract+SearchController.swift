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
        ("barn 프로", ["갤럭시 버즈2 프로"]), ("버즈 자전거", []), ("시버", ["갤럭시 버즈2 프로"]),
        ("갤럭시버즈2", ["갤럭시 버즈2 프로"]), ("즈 2", ["갤럭시 버즈2 프로"]), ("2프", ["갤럭시 버즈2 프로"]),
        ("즈2", ["갤럭시 버즈2 프로"]),
        ("거", ["자전거"]), ("퀴", ["자전거"]), ("2", ["자전거", "갤럭시 버즈2 프로"]),
        ("s, h", ["갤럭시 버즈2 프로"]), ("  ", ["자전거", "갤럭시 버즈2 프로"]), ("없는", []),
      ] {
        try promise(try await repository.names(ProductQuery(text: text)), is: names)
      }
    },
    RepositoryContract("a list is narrowed by each field that is a choice") { repository in
      _ = try await repository.register(.sample(name: "plain"))
      for field in ProductField.choices {
        _ = try await repository.register(.sample(name: field.rawValue).saying(field))
        var query = ProductQuery()
        query.choices[field] = [FieldSample[field].text]

        try promise(try await repository.names(query), is: [field.rawValue])
        query.text = "plain"
        try promise(try await repository.names(query), is: [])
      }
    },
    RepositoryContract("of several answers any will do, beside all else that is asked for") {
      repository in
      for (name, price, category, condition) in [
        ("road bike", 3, "sports", "good"), ("bike bell", 1, "sports", "new"),
        ("bike book", 2, "books", "fair"), ("bike bag", 4, "outdoors", nil), ("bike", 5, nil, nil),
      ] as [(String, Int64, String?, String?)] {
        var product = ProductRegistration.sample(name: name)
        product.price.hundredths = price * 100_000
        product.set([.category: .code(category ?? ""), .condition: .code(condition ?? "")])
        _ = try await repository.register(product)
      }
      for (categories, conditions, names) in [
        (["sports"], [], ["bike bell", "road bike"]),
        (["books", "sports"], [], ["bike book", "bike bell", "road bike"]),
        (["books", "sports"], ["good", "fair"], ["bike book", "road bike"]),
        ([], ["new"], ["bike bell"]), (["toys"], [], []),
      ] as [(Set<String>, Set<String>, [String])] {
        for (text, order) in [
          ("", ProductOrder.newest), ("bike", .newest), ("", .cheapest), ("", .priceDescending),
          ("bi", .biggestDiscount),
        ] {
          var query = ProductQuery(text: text, order: order)
          if !categories.isEmpty { query.choices[.category] = categories }
          if !conditions.isEmpty { query.choices[.condition] = conditions }
          let prices = ["bike bell": 1, "bike book": 2, "road bike": 3]
          let found = try await repository.names(query)
          let expected =
            switch order {
            case .newest, .biggestDiscount: names
            case .cheapest: names.sorted { prices[$0] ?? 0 < prices[$1] ?? 0 }
            case .priceDescending: names.sorted { prices[$0] ?? 0 > prices[$1] ?? 0 }
            }
          try promise(found, is: expected)
          let total = try await repository.total(of: query)
          try promise(total == .exactly(names.count), "\(query) has \(total)")
        }
      }
    },
    RepositoryContract("texts are found however their letters are written") { repository in
      let name = "L’Oréal ＣＡＦÉ İstanbul “자전거 도로”"
      _ = try await repository.register(.sample(name: name))
      _ = try await repository.register(.sample(name: "plain", description: "가방 が й"))

      for text in [
        "l'oreal", "LʼOREAL", "cafe", "Café", "ｃａｆｅ\u{301}", "istanbul", "ISTANBUL", "ıstanbul",
        "\"자전",
        "„자전거도로«", "자전거도로", "자 전거　도로", "전거도", "\u{110C}\u{1161}\u{110C}\u{1165}\u{11AB}거", "ㅈㅈㄱㄷㄹ",
      ] {
        try promise(
          try await repository.names(ProductQuery(text: text)).joined() + " " + text,
          is: name + " " + text)
      }
      for text in ["か", "и", "방か"] {
        try promise(try await repository.names(ProductQuery(text: text)), is: [])
      }
      try promise(
        try await repository.names(ProductQuery(phrases: ["ISTANBUL \"자전거도로"])), is: [name])
      try promise(try await repository.names(ProductQuery(without: ["oreal cafe"])), is: ["plain"])
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
        is: [1, 2, 4, 5, 7, 8, 3, 6, 9].map { "mug \($0)" })
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
    RepositoryContract("Korean is found by first consonants and by syllables under way") {
      repository in
      _ = try await repository.register(.sample(name: "무선자전거 팝니다", description: "ㅋㅋ 새것"))
      _ = try await repository.register(.sample(name: "자정 LG모니터", description: "깨끗해요 정말"))

      for (text, names) in [
        ("ㅈㅈㄱ", ["무선자전거 팝니다"]), ("ㅁㅅㅈㅈㄱ", ["무선자전거 팝니다"]), ("ㅈㅈ", ["자정 LG모니터", "무선자전거 팝니다"]),
        ("ㅋ", ["무선자전거 팝니다"]), ("ㅋㅋ", ["무선자전거 팝니다"]), ("ㅁㄴㅌ", ["자정 LG모니터"]), ("ㄱㅍ", ["무선자전거 팝니다"]),
        ("전거팝", ["무선자전거 팝니다"]), ("ㅈㄹ", []),
        ("자저", ["자정 LG모니터", "무선자전거 팝니다"]), ("자전ㄱ", ["무선자전거 팝니다"]), ("자젼", []),
        ("자ㅈ", ["자정 LG모니터", "무선자전거 팝니다"]), ("lgㅁ", ["자정 LG모니터"]), ("선자저", ["무선자전거 팝니다"]),
        ("서", ["무선자전거 팝니다"]), ("ㄲ", ["자정 LG모니터"]), ("자전거 ㅍㄴㄷ", ["무선자전거 팝니다"]), ("자ㅈㄱ", []),
        ("저", ["자정 LG모니터", "무선자전거 팝니다"]), ("정", ["자정 LG모니터"]), ("젇", []),
      ] {
        try promise(
          try await repository.names(ProductQuery(text: text)).joined(separator: "+") + " " + text,
          is: names.joined(separator: "+") + " " + text)
      }
    },
    RepositoryContract("phrases occur as they stand, and words that must not occur keep out") {
      repository in
      _ = try await repository.register(.sample(name: "red mug", description: "자전거 바구니와 함께"))
      _ = try await repository.register(.sample(name: "mug red", description: "자전 거울 a b c"))

      for (query, names) in [
        (ProductQuery(phrases: ["RED mug"]), ["red mug"]),
        (ProductQuery(phrases: ["d m"]), ["red mug"]),
        (ProductQuery(phrases: ["mug 자전"]), []), (ProductQuery(phrases: ["자저"]), []),
        (ProductQuery(phrases: ["전거 바"]), ["red mug"]),
        (ProductQuery(phrases: ["a b c"]), ["mug red"]),
        (ProductQuery(phrases: ["a c"]), []),
        (ProductQuery(phrases: ["g red", "거울"]), ["mug red"]),
        (ProductQuery(phrases: [" ", ""]), ["mug red", "red mug"]),
        (ProductQuery(without: ["바구"]), ["mug red"]),
        (ProductQuery(without: ["ㅈ", "자저"]), ["mug red", "red mug"]),
        (ProductQuery(without: ["mug"]), []),
        (ProductQuery(text: "mug", without: ["거울"]), ["red mug"]),
        (ProductQuery(text: "mug", phrases: ["red mug"], without: ["red mug"]), []),
        (ProductQuery(without: ["mug r", "x"]), ["red mug"]),
        (ProductQuery(without: [" "]), ["mug red", "red mug"]),
        (ProductQuery(without: ["red mug"], order: .cheapest), ["mug red"]),
      ] {
        try promise(
          "\(try await repository.names(query)) \(query.phrases) \(query.without)",
          is: "\(names) \(query.phrases) \(query.without)")
        let total = try await repository.total(of: query)
        try promise(total, is: .exactly(names.count))
      }
    },
    RepositoryContract("prices, currency, sellers, time and numbers narrow every order") {
      repository in
      let one = try await repository.rename(
        SellerIdentifier(secret: "00000000-0000-0000-0000-00000000000a"), to: "One")
      let two = try await repository.rename(
        SellerIdentifier(secret: "00000000-0000-0000-0000-00000000000b"), to: "Two")
      var ids: [Product.ID] = []
      for number in Int64(1)...9 {
        let identifier = SellerIdentifier(
          secret: "00000000-0000-0000-0000-00000000000" + (number % 2 == 0 ? "a" : "b"))
        let detail = try await repository.register(
          .sample(name: "mug \(number)", price: 100 * number, discount: number, stock: number % 3),
          by: .seller(identifier))
        ids.append(detail.id)
      }
      let soldOut = ["mug 3", "mug 6", "mug 9"]
      let product = try await repository.detail(of: ids[0]).product
      let unit = (product.pricing.price?.toPay.hundredths ?? 0) / 99
      func price(_ low: Int64?, _ high: Int64?) -> PriceRange {
        PriceRange(minimum: low.map { $0 * 99 * unit }, maximum: high.map { $0 * 99 * unit })
      }

      for order in ProductOrder.allCases {
        for (query, numbers) in [
          (ProductQuery(price: price(3, 6), order: order), [3, 4, 5, 6]),
          (ProductQuery(text: "mug", price: price(3, 6), order: order), [3, 4, 5, 6]),
          (ProductQuery(price: price(nil, 2), currency: .krw, order: order), [1, 2]),
          (ProductQuery(price: price(8, nil), order: order, sellers: [one.id, one.id]), [8]),
          (ProductQuery(currency: .usd, order: order), []),
          (ProductQuery(currency: Currency(rawValue: "'; --"), order: order), []),
          (ProductQuery(price: price(6, 3), order: order), []),
          (
            ProductQuery(price: PriceRange(minimum: .min, maximum: .max), order: order),
            Array(1...9)
          ),
          (ProductQuery(price: PriceRange(minimum: .max, maximum: .min), order: order), []),
          (ProductQuery(price: PriceRange(minimum: .max), order: order), []),
          (ProductQuery(price: PriceRange(maximum: .min), order: order), []),
          (ProductQuery(order: order, sellers: [two.id, one.id]), Array(1...9)),
          (ProductQuery(text: "mug", order: order, sellers: [two.id, one.id]), Array(1...9)),
          (
            ProductQuery(
              order: order, sellers: [Seller.ID(rawValue: .max), Seller.ID(rawValue: .min)]), []
          ),
          (
            ProductQuery(order: order, filters: [.inStock, .reduced], sellers: [two.id]), [1, 5, 7]
          ),
          (ProductQuery(order: order, since: product.created), Array(1...9)),
          (
            ProductQuery(
              order: order, since: Timestamp(seconds: product.created.seconds + 1_000_000)), []
          ),
          (
            ProductQuery(
              without: ["9"], price: price(8, nil), order: order, since: Timestamp(seconds: .min)),
            [8]
          ),
        ] {
          let names = try await repository.allNames(query, size: 2)
          try promise(names.sorted(), is: numbers.map { "mug \($0)" })
          let inStock = names.filter { order == .newest || !soldOut.contains($0) }
          let parts = [inStock, names.filter { !inStock.contains($0) }]
          try promise(names, is: parts.flatMap(\.self))
          for part in parts {
            if order == .cheapest { try promise(part, is: part.sorted()) }
            if order == .newest || order == .priceDescending {
              try promise(part, is: part.sorted().reversed())
            }
          }
          try promise(try await repository.total(of: query), is: .exactly(numbers.count))
          let page = try await repository.page(
            PageRequest(query: query, position: .number(2), size: 2))
          try promise(page.products.map(\.name), is: Array(names.dropFirst(2).prefix(2)))
        }
      }
      for (query, numbers) in [
        (
          ProductQuery(
            order: .cheapest, ids: [ids[4], ids[1], ids[4], Product.ID(rawValue: .max), ids[8]]),
          [5, 2, 9]
        ),
        (ProductQuery(text: "mug", filters: [.inStock], ids: [ids[4], ids[2], ids[1]]), [5, 2]),
        (ProductQuery(without: ["5"], sellers: [two.id], ids: [ids[4], ids[2], ids[1]]), [3]),
        (ProductQuery(ids: []), []), (ProductQuery(ids: ids + ids), Array(1...9)),
      ] {
        try promise(
          try await repository.allNames(query, size: 2), is: numbers.map { "mug \($0)" })
        try promise(try await repository.total(of: query), is: .exactly(numbers.count))
      }
    },
  ]
}

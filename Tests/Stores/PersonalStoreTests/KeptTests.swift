import MarketModel
import SQLiteKit
import TestSupport
import Testing

@testable import PersonalStore

/// The wish list, over real files.
@Suite struct KeptTests {
  let folder: FolderOfTest
  let troubles = Troubles()
  let clock = WallClock()
  let local = KeptMarket(key: .local, name: nil, place: nil)
  let home = KeptMarket(
    key: MarketKey(rawValue: "http://home/"), name: "home", place: "http://home/")

  init() throws {
    folder = try FolderOfTest()
  }

  func open() -> PersonalFile {
    PersonalFile(
      at: folder.path, now: { [clock] in clock.now }, busyMilliseconds: 30_000,
      tell: { [troubles] in troubles.add($0) })
  }

  func key(_ id: Int64, in market: MarketKey = .local) -> KeptKey {
    KeptKey(.product(Product.ID(rawValue: id)), in: market)
  }

  func names(_ file: PersonalFile, _ words: String...) async -> [String] {
    let products = await file.keptProducts(await file.keptList(of: words).products)
    return products.map(\.product.name)
  }

  @Test func `all that lists tell of a product comes back, with its text and its market`()
    async throws
  {
    let picture = Picture(number: 4, original: "o", thumbnail: "t")
    var product = Product.sample(
      id: 7, seller: Seller(id: Seller.ID(rawValue: 3), name: "하나"), name: "자전거",
      price: 240_000, discount: 60_000, stock: 2, thumbnail: picture)
    product.created.precision = .day
    product.changed.precision = .day
    #expect(await open().keep(product, description: "As good as new.", of: home) == .kept)

    let file = open()
    let kept = try #require(await file.keptProduct(product.id, in: home.key))

    #expect(kept.product == product)
    #expect(kept.description == "As good as new.")
    #expect(kept.market == home)
    #expect((kept.kept, kept.seen, kept.gone) == (clock.now, clock.now, nil))
    #expect(await file.keptMarks(of: home.key).products == [product.id])
    #expect(await file.keptMarks(of: .local) == KeptMarks())
  }

  @Test(arguments: [false, true])
  func `words find it however their letters are written, also where an older version kept it`(
    isOlder: Bool
  ) async throws {
    let seller = Seller(id: Seller.ID(rawValue: 3), name: "Müller")
    let product = Product.sample(id: 7, seller: seller, name: "자전거 도로 ＡＢＣ")
    let file = open()
    _ = await file.keep(product, description: "L’été", of: local)
    _ = await file.write("İç", to: key(7))
    _ = await file.keep(seller, by: product.id, of: local)
    if isOlder {
      await file.close()
      let connection = try Connection(opening: folder.path, .init())
      let version = try connection.integer("PRAGMA user_version") ?? 0
      try connection.execute(
        """
        UPDATE kept_product SET words = '자전거 도로 ａｂｃ\nmüller', note_words = 'i̇ç',
          description_words = 'l’été';
        UPDATE kept_seller SET words = 'müller';
        PRAGMA user_version = \(version - 1);
        """)
    }

    let opened = open()

    for word in ["자전거도로", "전거도", "abc", "muller", "MÜLLER", "ic", "l'ete", "Ｌ’ÉTÉ"] {
      #expect(await names(opened, word) == [product.name], "\(word)")
    }
    #expect(await names(opened, "로a") == [])
    #expect(await opened.keptList(of: ["muller"]).sellers.count == 1)
  }

  @Test func `what is let go of comes back with its note, and after a day is forgotten`() async {
    let file = open()
    _ = await file.keep(.sample(id: 1), description: nil, of: local)
    #expect(await file.write("ask", to: key(1)))

    #expect(await file.letGo(key(1)))
    #expect(await file.keptList(of: []) == KeptList())
    #expect(await file.takeBack(key(1)))
    #expect(await file.keptProduct(Product.ID(rawValue: 1), in: .local)?.note == "ask")
    _ = await file.letGo(key(1))
    clock.advance(KeptProducts.patience + 1)
    _ = await file.keep(.sample(id: 2), description: nil, of: local)

    #expect(await !file.takeBack(key(1)))
    #expect(troubles.all.isEmpty)
  }

  @Test func `the latest stands first, and all words must be in names, notes or texts`() async {
    let file = open()
    let products = [(1, "Road bike"), (2, "도자기 컵"), (3, "Mountain BIKE")]
    for (id, name) in products {
      _ = await file.keep(
        .sample(id: Int64(id), name: name), description: id == 2 ? "Hand made" : nil, of: local)
    }
    _ = await file.write("for Öykü", to: key(3))

    #expect(await names(file) == ["Mountain BIKE", "도자기 컵", "Road bike"])
    #expect(await names(file, "bike") == ["Mountain BIKE", "Road bike"])
    #expect(await names(file, "bike", "öykü") == ["Mountain BIKE"])
    #expect(await names(file, "hand") == ["도자기 컵"])
    #expect(await names(file, "%") == [])
  }

  @Test(arguments: 0..<4)
  func `words find what searches of a market find by them`(seed: Int) async {
    var random = SeededRandom(seed: UInt64(seed))
    let parts = [
      "머그", "세트", "상자", "ㅁㅅ", "문서", "mug", "Cup", "é", "*", "?", "[", "]", "a-b", "^", " ", "\n",
      "🍵",
    ]
    func text(of count: Int) -> String {
      (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }
    let file = open()
    let tokenizer = SearchTokenizer()
    var texts: [[String]] = []
    for id in Int64(1)...30 {
      let product = Product.sample(id: id, name: text(of: 4))
      texts.append([product.name, product.seller.name, text(of: 5)])
      _ = await file.keep(product, description: texts.last?.last, of: local)
    }
    let words =
      ["ㅁㅅ", "ㅁ", "ㅁㄱㅅㅌ", "세", "머글", "문ㅅ", "상잦", "[ㅁ", "*", "[", "]", "?*"]
      + [String(repeating: "ㅁ", count: 64)] + (0..<40).map { _ in text(of: 2) }

    for word in words {
      let found = await file.keptProducts(await file.keptList(of: [word]).products)
      let expected = texts.indices.filter {
        SearchedTexts(texts[$0], tokenizer).have(words: tokenizer.wanted(by: word))
      }
      #expect(
        Set(found.map(\.product.id.rawValue)) == Set(expected.map { Int64($0 + 1) }), "\(word)")
    }
    #expect(troubles.all.isEmpty)
  }

  @Test func `first consonants find kept products and sellers`() async {
    let file = open()
    _ = await file.keep(.sample(id: 1, name: "머그 세트"), description: nil, of: local)
    _ = await file.keep(
      Seller(id: Seller.ID(rawValue: 3), name: "문수"), by: Product.ID(rawValue: 1), of: local)

    let list = await file.keptList(of: ["ㅁㅅ"])
    #expect(list.sellers.count == 1)
    #expect(await names(file, "ㅁㄱㅅ") == ["머그 세트"])
  }

  @Test func `what was seen again has new facts, and what is gone says since when`() async throws {
    let file = open()
    _ = await file.keep(.sample(id: 1, price: 9_000), description: "Old", of: local)
    clock.advance(60)
    await file.didLoseKept([Product.ID(rawValue: 1)], in: .local)
    let gone = clock.now
    clock.advance(60)
    await file.didLoseKept([Product.ID(rawValue: 1)], in: .local)
    #expect(await file.keptProduct(Product.ID(rawValue: 1), in: .local)?.gone == gone)

    _ = await file.didSeeKept([.sample(id: 1, price: 7_000), .sample(id: 2)], in: .local)

    let kept = try #require(await file.keptProduct(Product.ID(rawValue: 1), in: .local))
    #expect(kept.gone == nil)
    #expect(kept.product == .sample(id: 1, price: 7_000))
    #expect((kept.seen, kept.description) == (clock.now, "Old"))
    #expect(await file.keptList(of: []).products.count == 1)
  }

  @Test func `what is kept again stays where it was, but not what was let go of`() async throws {
    let file = open()
    _ = await file.keep(.sample(id: 1), description: nil, of: local)
    let start = clock.now
    clock.advance(60)
    _ = await file.keep(.sample(id: 1), description: nil, of: local)
    #expect(await file.keptProduct(Product.ID(rawValue: 1), in: .local)?.kept == start)

    #expect(await file.letGo(key(1)))
    _ = await file.keep(.sample(id: 1), description: nil, of: local)

    #expect(await file.keptProduct(Product.ID(rawValue: 1), in: .local)?.kept == clock.now)
  }

  @Test func `what was let go of at a time to come, before the clock was set back, is forgotten`()
    async throws
  {
    let file = open()
    _ = await file.keep(.sample(id: 1), description: nil, of: local)
    #expect(await file.write("note", to: key(1)))
    #expect(await file.letGo(key(1)))

    clock.advance(-2 * 86_400)
    _ = await file.keep(.sample(id: 2), description: nil, of: local)
    _ = await file.keep(.sample(id: 1), description: nil, of: local)

    #expect(await file.keptProduct(Product.ID(rawValue: 1), in: .local)?.note == "")
  }

  @Test func `a picture is asked for until it is kept, and when the market has another`() async {
    let file = open()
    let product = Product.sample(id: 1, thumbnail: Picture(original: "o", thumbnail: "t"))
    _ = await file.keep(product, description: nil, of: local)
    #expect(await file.didSeeKept([product], in: .local) == [product.id])

    await file.keep([UInt8](repeating: 1, count: 70_000), of: product, in: .local)
    #expect(await file.didSeeKept([product], in: .local) == [product.id])
    await file.keep([1, 2, 3], of: product, in: .local)
    #expect(await file.didSeeKept([product], in: .local) == [])
    #expect(await file.keptPicture(of: KeptID(rawValue: 1)) == [1, 2, 3])
    var other = product
    other.thumbnail = Picture(original: "o", thumbnail: "u")

    #expect(await file.didSeeKept([other], in: .local) == [product.id])
  }

  @Test func `a hundred thousand are the most, and are listed by their numbers`() async throws {
    let file = open()
    _ = await file.keep(.sample(id: 1), description: nil, of: local)
    try Connection(opening: folder.path, .init()).run(
      """
      WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO kept_product (market, product, kept, seen, seller, seller_name, name, discount,
        currency, stock, created, changed, by_day, words)
      SELECT 1, i, 1, 1, 1, '', 'Ware ' || i, 0, 'KRW', 1, 1, 1, 0, 'ware ' || i FROM n
      """, .integer(KeptProducts.limit))

    #expect(await file.keep(.sample(id: 0), description: nil, of: local) == .full)
    let list = await file.keptList(of: [])
    #expect(list.products.count == 100_000)
    #expect(await file.keptProducts([list.products[0]]).map(\.product.name) == ["Ware 100000"])
    #expect(await names(file, "99999") == ["Ware 99999"])
    #expect(await file.keptMarks(of: .local).products.count == 100_000)
    #expect(await file.latestKept(ofEach: 100)[local]?.count == 100)
  }

  @Test func `a seller is kept with the product that led there`() async {
    let file = open()
    let seller = Seller(id: Seller.ID(rawValue: 3), name: "Hana")
    #expect(await file.keep(seller, by: Product.ID(rawValue: 9), of: home) == .kept)
    #expect(await file.write("kind", to: KeptKey(.seller(seller.id), in: home.key)))

    let kept = await file.keptSellers(await file.keptList(of: ["KIND"]).sellers)

    #expect(kept.map(\.seller) == [seller])
    #expect(kept.map(\.product.rawValue) == [9])
    #expect(await file.keptMarks(of: home.key).sellers == [seller.id])
  }

  @Test func `two programs keep at once, and lose nothing`() async {
    let files = [open(), open()]

    await withTaskGroup { group in
      for number in 0..<100 {
        let (file, local) = (files[number % 2], local)
        group.addTask {
          _ = await file.keep(.sample(id: Int64(number)), description: nil, of: local)
        }
      }
    }

    #expect(await open().keptMarks(of: .local).products.count == 100)
    #expect(troubles.all.isEmpty)
  }
}

import Expectations
import MarketModel
import SQLiteKit
import TestSupport
import Testing

@testable import PersonalStore

/// The wish list, over real files.
struct FavoritesTests {
  let folder = FolderOfTest()
  var clock: WallClock { folder.clock }
  let local = FavoriteMarket(key: .local, name: nil, location: nil)
  let home = FavoriteMarket(
    key: MarketKey(rawValue: "http://home/"), name: "home", location: "http://home/")

  func open() -> PersonalFile { folder.open(waiting: 30_000) }

  func key(_ id: Int64, in market: MarketKey = .local) -> FavoriteKey {
    FavoriteKey(.product(Product.ID(rawValue: id)), in: market)
  }

  func names(_ file: PersonalFile, _ words: String...) async -> [String] {
    let products = await file.favoriteProducts(await file.favoriteList(of: words).products)
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
    var detail = ProductDetail.sample(of: product)
    detail.set(FieldValues.sample.filter { $0.key.isListed && !$0.key.isInEveryMarket })
    product = detail.product
    await expect(open().add(product, description: "As good as new.", of: home), .added)

    let file = open()
    let favorite = try #require(await file.favoriteProduct(product.id, in: home.key))

    expect(favorite.product, product)
    expect(favorite.description, "As good as new.")
    expect(favorite.market, home)
    #expect((favorite.added, favorite.seen, favorite.gone) == (clock.now, clock.now, nil))
    await expect(file.favoriteMarks(of: home.key).products, [product.id])
    await expect(file.favoriteMarks(of: .local), FavoriteMarks())
  }

  @Test(arguments: [false, true])
  func `words find it however their letters are written, also once all are folded anew`(
    isRenewed: Bool
  ) async throws {
    let seller = Seller(id: Seller.ID(rawValue: 3), name: "Müller")
    let product = Product.sample(id: 7, seller: seller, name: "자전거 도로 ＡＢＣ")
    let file = open()
    _ = await file.add(product, description: "L’été", of: local)
    _ = await file.write("İç", to: key(7))
    _ = await file.add(seller, by: product.id, of: local)
    if isRenewed {
      await file.close()
      let connection = try folder.connection()
      try connection.execute(
        """
        UPDATE favorite_product SET words = 'x', note_words = 'x', description_words = 'x';
        UPDATE favorite_seller SET words = 'x';
        """)
      try FavoriteSearchTerms.renew(over: connection)
    }

    let opened = open()

    for word in ["자전거도로", "전거도", "로a", "abc", "muller", "MÜLLER", "ic", "l'ete", "Ｌ’ÉTÉ"] {
      await expect(names(opened, word), [product.name], "\(word)")
    }
    await expect(names(opened, "로c"), [])
    await expect(opened.favoriteList(of: ["muller"]).sellers.count, 1)
  }

  @Test func `what is let go of comes back with its note, and after a day is forgotten`() async {
    let file = open()
    _ = await file.add(.sample(id: 1), description: nil, of: local)
    #expect(await file.write("ask", to: key(1)))

    #expect(await file.remove(key(1)))
    await expect(file.favoriteList(of: []), FavoriteList())
    #expect(await file.restore(key(1)))
    await expect(file.favoriteProduct(Product.ID(rawValue: 1), in: .local)?.note, "ask")
    _ = await file.remove(key(1))
    clock.advance(PersonalFile.restoreSeconds + 1)
    _ = await file.add(.sample(id: 2), description: nil, of: local)

    #expect(await !file.restore(key(1)))
    #expect(folder.troubles.isEmpty)
  }

  @Test func `the latest stands first, and all words must be in names, notes or texts`() async {
    let file = open()
    let products = [(1, "Road bike"), (2, "도자기 컵"), (3, "Mountain BIKE")]
    for (id, name) in products {
      _ = await file.add(
        .sample(id: Int64(id), name: name), description: id == 2 ? "Hand made" : nil, of: local)
    }
    _ = await file.write("for Öykü", to: key(3))

    await expect(names(file), ["Mountain BIKE", "도자기 컵", "Road bike"])
    await expect(names(file, "bike"), ["Mountain BIKE", "Road bike"])
    await expect(names(file, "bike", "öykü"), ["Mountain BIKE"])
    await expect(names(file, "hand"), ["도자기 컵"])
    await expect(names(file, "%"), [])
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
      _ = await file.add(product, description: texts.last?.last, of: local)
    }
    let words =
      ["ㅁㅅ", "ㅁ", "ㅁㄱㅅㅌ", "세", "머글", "문ㅅ", "상잦", "[ㅁ", "*", "[", "]", "?*"]
      + [String(repeating: "ㅁ", count: 64)] + (0..<40).map { _ in text(of: 2) }

    for word in words {
      let found = await file.favoriteProducts(await file.favoriteList(of: [word]).products)
      let expected = texts.indices.filter {
        SearchedTexts(texts[$0], tokenizer).have(words: tokenizer.wanted(by: word))
      }
      expect(Set(found.map(\.product.id.rawValue)), Set(expected.map { Int64($0 + 1) }), "\(word)")
    }
    #expect(folder.troubles.isEmpty)
  }

  @Test func `first consonants find kept products and sellers`() async {
    let file = open()
    _ = await file.add(.sample(id: 1, name: "머그 세트"), description: nil, of: local)
    _ = await file.add(
      Seller(id: Seller.ID(rawValue: 3), name: "문수"), by: Product.ID(rawValue: 1), of: local)

    let list = await file.favoriteList(of: ["ㅁㅅ"])
    expect(list.sellers.count, 1)
    await expect(names(file, "ㅁㄱㅅ"), ["머그 세트"])
  }

  @Test func `what was seen again has new facts, and what is gone says since when`() async throws {
    let file = open()
    _ = await file.add(.sample(id: 1, price: 9_000), description: "Old", of: local)
    clock.advance(60)
    await file.didLoseFavorites([Product.ID(rawValue: 1)], in: .local)
    let gone = clock.now
    clock.advance(60)
    await file.didLoseFavorites([Product.ID(rawValue: 1)], in: .local)
    await expect(file.favoriteProduct(Product.ID(rawValue: 1), in: .local)?.gone, gone)

    _ = await file.didSeeFavorites([.sample(id: 1, price: 7_000), .sample(id: 2)], in: .local)

    let favorite = try #require(await file.favoriteProduct(Product.ID(rawValue: 1), in: .local))
    expect(favorite.gone, nil)
    expect(favorite.product, .sample(id: 1, price: 7_000))
    #expect((favorite.seen, favorite.description) == (clock.now, "Old"))
    await expect(file.favoriteList(of: []).products.count, 1)
  }

  @Test func `what is kept again stays where it was, but not what was let go of`() async throws {
    let file = open()
    _ = await file.add(.sample(id: 1), description: nil, of: local)
    let start = clock.now
    clock.advance(60)
    _ = await file.add(.sample(id: 1), description: nil, of: local)
    await expect(file.favoriteProduct(Product.ID(rawValue: 1), in: .local)?.added, start)

    #expect(await file.remove(key(1)))
    _ = await file.add(.sample(id: 1), description: nil, of: local)

    await expect(file.favoriteProduct(Product.ID(rawValue: 1), in: .local)?.added, clock.now)
  }

  @Test func `what was let go of at a time to come, before the clock was set back, is forgotten`()
    async throws
  {
    let file = open()
    _ = await file.add(.sample(id: 1), description: nil, of: local)
    #expect(await file.write("note", to: key(1)))
    #expect(await file.remove(key(1)))

    clock.advance(-2 * 86_400)
    _ = await file.add(.sample(id: 2), description: nil, of: local)
    _ = await file.add(.sample(id: 1), description: nil, of: local)

    await expect(file.favoriteProduct(Product.ID(rawValue: 1), in: .local)?.note, "")
  }

  @Test func `a picture is asked for until it is kept, and when the market has another`() async {
    let file = open()
    let product = Product.sample(id: 1, thumbnail: Picture(original: "o", thumbnail: "t"))
    _ = await file.add(product, description: nil, of: local)
    await expect(file.didSeeFavorites([product], in: .local), [product.id])

    await file.add([UInt8](repeating: 1, count: 70_000), of: product, in: .local)
    await expect(file.didSeeFavorites([product], in: .local), [product.id])
    await file.add([1, 2, 3], of: product, in: .local)
    await expect(file.didSeeFavorites([product], in: .local), [])
    await expect(file.favoritePicture(of: FavoriteID(rawValue: 1)), [1, 2, 3])
    var other = product
    other.thumbnail = Picture(original: "o", thumbnail: "u")

    await expect(file.didSeeFavorites([other], in: .local), [product.id])
  }

  @Test func `a hundred thousand are the most, and are listed by their numbers`() async throws {
    let file = open()
    _ = await file.add(.sample(id: 1), description: nil, of: local)
    try folder.connection().run(
      """
      WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO favorite_product (market, product, added, seen, seller, seller_name, name, discount,
        currency, stock, created, changed, by_day, words)
      SELECT 1, i, 1, 1, 1, '', 'Ware ' || i, 0, 'KRW', 1, 1, 1, 0, 'ware ' || i FROM n
      """, .integer(PersonalFile.Limits().products))

    await expect(file.add(.sample(id: 0), description: nil, of: local), .full)
    let list = await file.favoriteList(of: [])
    expect(list.products.count, 100_000)
    await expect(file.favoriteProducts([list.products[0]]).map(\.product.name), ["Ware 100000"])
    await expect(names(file, "99999"), ["Ware 99999"])
    await expect(file.favoriteMarks(of: .local).products.count, 100_000)
    await expect(file.latestFavorites(ofEach: 100)[local]?.count, 100)
  }

  @Test func `a seller is kept with the product that led there`() async {
    let file = open()
    let seller = Seller(id: Seller.ID(rawValue: 3), name: "Hana")
    await expect(file.add(seller, by: Product.ID(rawValue: 9), of: home), .added)
    #expect(await file.write("kind", to: FavoriteKey(.seller(seller.id), in: home.key)))

    let favorite = await file.favoriteSellers(await file.favoriteList(of: ["KIND"]).sellers)

    expect(favorite.map(\.seller), [seller])
    expect(favorite.map(\.product.rawValue), [9])
    await expect(file.favoriteMarks(of: home.key).sellers, [seller.id])
  }

  @Test func `two programs keep at once, and lose nothing`() async {
    let files = [open(), open()]

    await withTaskGroup { group in
      for number in 0..<100 {
        let (file, local) = (files[number % 2], local)
        group.addTask {
          _ = await file.add(.sample(id: Int64(number)), description: nil, of: local)
        }
      }
    }

    await expect(open().favoriteMarks(of: .local).products.count, 100)
    #expect(folder.troubles.isEmpty)
  }
}

import MarketModel
import MarketStore

/// Rows of several tables, column by column, as few statements take them.
struct SeedRows {
  private let password: Int64
  private var ids: [Int64] = []
  private var sellers: [Int64] = []
  private var names: [String] = []
  private var descriptions: [String] = []
  private var currencies: [String] = []
  private var prices: [Int64] = []
  private var discounts: [Int64] = []
  private var percents: [Int64] = []
  private var stocks: [Int64] = []
  private var created: [Int64] = []
  /// 0 where there is none.
  private var thumbnails: [Int64] = []
  private var pictureProducts: [Int64] = []
  private var picturePlaces: [Int64] = []
  private var pictures: [Int64] = []
  private var words: [String] = []
  /// The text form of an array each.
  private var grams: [String] = []

  init(password: Int64) {
    self.password = password
  }

  mutating func append(
    _ product: SeedProduct, id: Int64, seller: Int64, pictures: [Int64], _ source: SearchWords
  ) {
    ids.append(id)
    sellers.append(seller)
    names.append(product.name)
    descriptions.append(product.description)
    currencies.append(product.price.currency.rawValue)
    prices.append(product.price.full.hundredths)
    discounts.append(product.price.discountHundredths)
    percents.append(Int64(product.price.discountPercent))
    stocks.append(product.stock)
    created.append(product.created)
    thumbnails.append(pictures.first ?? 0)
    for (place, picture) in pictures.enumerated() {
      pictureProducts.append(id)
      picturePlaces.append(Int64(place))
      self.pictures.append(picture)
    }
    let text = SearchableText([product.name, product.description, product.seller], words: source)
    words.append(text.words)
    grams.append("{\(text.grams.map(String.init).joined(separator: ","))}")
  }

  var statements: [(sql: String, values: [PostgresValue])] {
    [
      (
        """
        INSERT INTO product (id, seller, name, currency, price, discount, percent, stock, created,
          changed, thumbnail, password)
        SELECT id, seller, name, currency, price, discount, percent, stock, created, created,
          nullif(thumbnail, 0), $11
        FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS seed
          (id, seller, name, currency, price, discount, percent, stock, created, thumbnail)
        """,
        [
          .integers(ids), .integers(sellers), .texts(names), .texts(currencies),
          .integers(prices), .integers(discounts), .integers(percents), .integers(stocks),
          .integers(created), .integers(thumbnails), .integer(password),
        ]
      ),
      (
        "INSERT INTO product_text (product, description) SELECT * FROM unnest($1, $2)",
        [.integers(ids), .texts(descriptions)]
      ),
      (
        "INSERT INTO product_picture (product, place, picture) SELECT * FROM unnest($1, $2, $3)",
        [.integers(pictureProducts), .integers(picturePlaces), .integers(pictures)]
      ),
      (
        """
        INSERT INTO product_search (product, words, grams)
        SELECT product, words, grams::integer[]
        FROM unnest($1, $2, $3) AS seed (product, words, grams)
        """, [.integers(ids), .texts(words), .texts(grams)]
      ),
    ]
  }
}

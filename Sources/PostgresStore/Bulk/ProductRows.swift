import MarketModel
import StoreCore

/// Rows of several tables, column by column, as few statements take them.
struct ProductRows {
  /// A product as it goes into the tables; everything it refers to is there already.
  struct Row {
    let id: Int64
    let seller: Int64
    let password: Int64
    /// Keys of its pictures, in order.
    let pictures: [Int64]
    let text: SearchableText
  }

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
  private var changed: [Int64] = []
  private var versions: [Int64] = []
  /// 0 where there is none.
  private var thumbnails: [Int64] = []
  private var passwords: [Int64] = []
  private var pictureProducts: [Int64] = []
  private var picturePlaces: [Int64] = []
  private var pictures: [Int64] = []
  private var words: [String] = []
  /// The text form of an array each.
  private var grams: [String] = []

  mutating func append(_ product: ArchivedProduct, as row: Row) {
    ids.append(row.id)
    sellers.append(row.seller)
    names.append(product.name)
    descriptions.append(product.description)
    currencies.append(product.price.currency.rawValue)
    prices.append(product.price.full.hundredths)
    discounts.append(product.price.discountHundredths)
    percents.append(Int64(product.price.discountPercent))
    stocks.append(product.stock)
    created.append(product.created)
    changed.append(product.changed)
    versions.append(product.version)
    thumbnails.append(row.pictures.first ?? 0)
    passwords.append(row.password)
    for (place, picture) in row.pictures.enumerated() {
      pictureProducts.append(row.id)
      picturePlaces.append(Int64(place))
      pictures.append(picture)
    }
    words.append(row.text.words)
    grams.append("{\(row.text.grams.map(String.init).joined(separator: ","))}")
  }

  var statements: [(sql: String, values: [PostgresValue])] {
    [
      (
        """
        INSERT INTO product (id, seller, name, currency, price, discount, percent, stock, created,
          changed, version, thumbnail, password)
        SELECT id, seller, name, currency, price, discount, percent, stock, created, changed,
          version, nullif(thumbnail, 0), password
        FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS listed
          (id, seller, name, currency, price, discount, percent, stock, created, changed, version,
           thumbnail, password)
        """,
        [
          .integers(ids), .integers(sellers), .texts(names), .texts(currencies),
          .integers(prices), .integers(discounts), .integers(percents), .integers(stocks),
          .integers(created), .integers(changed), .integers(versions), .integers(thumbnails),
          .integers(passwords),
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
        FROM unnest($1, $2, $3) AS listed (product, words, grams)
        """, [.integers(ids), .texts(words), .texts(grams)]
      ),
    ]
  }
}

extension ArchivedProduct {
  var state: Int { ProductState.of(stock: stock, isReduced: price.isReduced) }
}

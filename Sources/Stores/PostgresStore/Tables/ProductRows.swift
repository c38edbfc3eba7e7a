import StoreCore

/// Rows of several tables, column by column, as few statements take them.
struct ProductRows {
  private static let products = """
    INSERT INTO product (\(ProductColumn.inserted.names))
    SELECT \(ProductColumn.inserted.names)
    FROM unnest(\(ProductColumn.inserted.marks(from: 1)))
      AS listed (\(ProductColumn.inserted.names))
    """
  private static let texts = """
    INSERT INTO product_text (product, \(ProductColumn.insertedTexts.names))
    SELECT * FROM unnest($1, \(ProductColumn.insertedTexts.marks(from: 2)))
    """

  /// With their numbers.
  private var rows: [StoredProduct] = []
  private var pictureProducts: [Int64] = []
  private var picturePlaces: [Int64] = []
  private var pictures: [Int64] = []
  private var words: [String] = []
  /// The text form of an array each.
  private var grams: [String] = []

  mutating func append(_ product: StoredProduct, _ text: SearchableText) {
    rows.append(product)
    for (place, picture) in product.pictures.enumerated() {
      pictureProducts.append(product.id ?? 0)
      picturePlaces.append(Int64(place))
      pictures.append(picture)
    }
    words.append(text.words)
    grams.append("{\(text.grams.map(String.init).joined(separator: ","))}")
  }

  var statements: [(sql: String, values: [PostgresValue])] {
    let ids = PostgresValue.integers(rows.map(\.id))
    return [
      (Self.products, ProductColumn.inserted.arrays(of: rows)),
      (Self.texts, [ids] + ProductColumn.insertedTexts.arrays(of: rows)),
      (
        "INSERT INTO product_picture (product, place, picture) SELECT * FROM unnest($1, $2, $3)",
        [.integers(pictureProducts), .integers(picturePlaces), .integers(pictures)]
      ),
      (
        """
        INSERT INTO product_search (product, words, grams)
        SELECT product, words, grams::integer[]
        FROM unnest($1, $2, $3) AS listed (product, words, grams)
        """, [ids, .texts(words), .texts(grams)]
      ),
    ]
  }
}

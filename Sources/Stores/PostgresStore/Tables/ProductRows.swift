import MarketModel
import SQLiteKit
import StoreCore

/// Rows of several tables, as columns for few INSERT statements.
struct ProductRows {
  private static let products = SQL(
    once: """
      INSERT INTO product (\(ProductColumns.inserted.names))
      SELECT \(ProductColumns.inserted.names)
      FROM unnest(\(ProductColumns.inserted.marks(from: 1)))
        AS listed (\(ProductColumns.inserted.names))
      """)
  private static let texts = SQL(
    once: """
      INSERT INTO product_text (product, \(ProductColumns.insertedTexts.names))
      SELECT * FROM unnest($1, \(ProductColumns.insertedTexts.marks(from: 2)))
      """)

  /// Products with their ids.
  private var rows: [StoredProduct] = []
  private var pictureProducts: [Int64] = []
  private var picturePositions: [Int64] = []
  private var pictures: [Int64] = []
  private var words: [String] = []
  /// Grams of each product, as an array literal of PostgreSQL.
  private var grams: [String] = []

  mutating func append(_ product: StoredProduct, _ text: IndexText) {
    rows.append(product)
    for (position, picture) in product.pictures.enumerated() {
      pictureProducts.append(product.id ?? 0)
      picturePositions.append(Int64(position))
      pictures.append(picture)
    }
    words.append(text.words)
    grams.append(text.gramsText)
  }

  var statements: [(sql: SQL, values: [SQLValue])] {
    let ids = SQLValue.integers(rows.map(\.id))
    return [
      (Self.products, ProductColumns.inserted.arrays(of: rows)),
      (Self.texts, [ids] + ProductColumns.insertedTexts.arrays(of: rows)),
      (
        "INSERT INTO product_picture (product, position, picture) SELECT * FROM unnest($1, $2, $3)",
        [.integers(pictureProducts), .integers(picturePositions), .integers(pictures)]
      ),
      (
        """
        INSERT INTO product_search (product, words, grams)
        SELECT product, words, grams::integer[] || price_tokens(currency, to_pay)
        FROM unnest($1, $2, $3, $4, $5) AS listed (product, words, grams, currency, to_pay)
        """,
        [
          ids, .texts(words), .texts(grams), .texts(rows.map(\.currency.rawValue)),
          .integers(rows.map { $0.full - $0.discount }),
        ]
      ),
    ]
  }
}

extension ProductColumns {
  /// The columns' values for products, at least one, as arrays for `unnest`.
  fileprivate func arrays(of products: [StoredProduct]) -> [SQLValue] {
    all.map { column in
      let values = products.map(column.value(of:))
      return switch values.first {
      case .integer:
        .integers(values.map { if case .integer(let number) = $0 { number } else { nil } })
      case .text: .texts(values.map { if case .text(let text) = $0 { text } else { nil } })
      default: .blobs(values.map { if case .blob(let bytes) = $0 { bytes } else { nil } })
      }
    }
  }
}

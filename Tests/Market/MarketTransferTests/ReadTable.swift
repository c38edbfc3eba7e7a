import MarketModel
import MarketStrings
import SafeTextKit

@testable import MarketTransfer

/// What comes of the rows of a table in UTF-8: name, price and discount, currency, stock, then category,
/// condition, place and description where there are some, and what was changed; or the problem of the
/// row.
func readTable(
  _ text: String, _ options: TableOptions = TableOptions(), currency: Currency = .usd
) throws -> [String] {
  try readTable(Array(text.utf8), options, currency: currency)
}

func readTable(
  _ bytes: [UInt8], _ options: TableOptions = TableOptions(), currency: Currency = .usd
) throws -> [String] {
  var source = try TableSource(
    InputFile(of: bytes), now: 1_800_000_000, options, currency: currency,
    zone: .fixed(seconds: 32_400))
  var rows: [String] = []
  while let record = try source.next() {
    switch record.product {
    case .success(let row):
      rows.append(text(of: row))
      rows += row.remarks.map { text(of: $0, in: record) }
    case .failure(let reason):
      rows.append(text(of: reason, in: record))
    }
  }
  return rows
}

private func text(of reason: ImportProblem.Reason, in record: SourceRecord) -> String {
  ImportProblem(lines: record.lines, reason: reason, rowCount: record.rowCount)
    .text(Strings(.english)).string
}

private func text(of row: SourceProduct) -> String {
  let (product, price) = (row.product, row.product.price)
  let amounts = [price.full.hundredths, price.discountHundredths].filter { $0 != 0 }.map {
    String(hundredths: $0, decimals: .shortest)
  }
  let choices = [
    product.category?.rawValue, product.condition?.rawValue, product.place,
    product.isReserved ? "reserved" : nil,
  ]
  let words =
    [product.name, amounts.joined(separator: "-"), price.currency.rawValue, "\(product.stock)"]
    + choices.compactMap(\.self) + (product.description.isEmpty ? [] : ["“\(product.description)”"])
    + row.photoAddresses
  return words.joined(separator: " ")
}

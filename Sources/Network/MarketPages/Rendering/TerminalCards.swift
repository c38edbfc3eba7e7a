internal import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// Products on a terminal page: cards three abreast with colours, else one row each.
struct TerminalCards {
  private static let cardsOfRow = 3
  private static let cardColumns = 24
  private static let gap = 4
  private static let pictureRows = 9

  static let box = TerminalPage.PictureBox(
    size: PixelSize(width: cardColumns, height: pictureRows * 2), isFilled: true)

  private let cards: [PageCard]
  private let pictures: [Picture: BlockPicture]
  private let strings: Strings

  init(_ cards: [PageCard], _ pictures: [Picture: BlockPicture], _ strings: Strings) {
    (self.cards, self.pictures, self.strings) = (cards, pictures, strings)
  }

  // MARK: Cards

  var grid: [TerminalLine] {
    stride(from: 0, to: cards.count, by: Self.cardsOfRow).flatMap { start in
      let columns = cards[start..<min(start + Self.cardsOfRow, cards.count)].map(lines)
      let rows = columns.map(\.count).max() ?? 0
      let lines = (0..<rows).map { row in
        var line = TerminalLine()
        for (index, lines) in columns.enumerated() {
          line.pad(to: index * (Self.cardColumns + Self.gap))
          line.add(lines[row])
        }
        return line
      }
      return lines + [.blank]
    }
  }

  /// Lines of a card: its picture or as much space, and four lines of text.
  private func lines(of card: PageCard) -> [TerminalLine] {
    let picture = card.thumbnail.flatMap { pictures[$0] }
    let width = Self.cardColumns
    let dots = (0..<Self.pictureRows).map { row in
      var line = TerminalLine()
      if let picture, picture.rows.indices.contains(row) { line.add(picture.rows[row]) }
      return line
    }
    let name = TerminalLine(
      card.name.truncated(toColumns: width), card.price.isSold ? .dim : .strong)
    let price = TerminalPage.price(card.price, columns: width, isColored: true)
    let age = card.age.truncated(toColumns: width)
    var facts = TerminalLine(card.facts(columns: width - age.columns - 1, strings), .dim)
    facts.pad(to: width - age.columns)
    facts.add(age, .dim)
    let number = TerminalLine("#" + SafeText(card.id.rawValue), .dim)
    return dots + [name, price, facts, number]
  }

  // MARK: Rows

  private static let factColumns = 24
  private static let stockColumns = 10

  /// Rows of number, name, price, stock or "reserved", and age.
  ///
  /// Numbers and prices are as wide as the longest; the name takes the rest.
  var rows: [TerminalLine] {
    let numbers = cards.map { "#" + SafeText($0.id.rawValue) }
    let numberColumns = numbers.map(\.columns).max() ?? 0
    let priceColumns = cards.map(\.price.toPay.columns).max() ?? 0
    let name = max(1, TerminalPage.columns - numberColumns - priceColumns - Self.factColumns - 4)
    return zip(cards, numbers).map { card, number in
      let state = card.price.reserved ?? card.stock
      let facts = [state.padded(toColumns: Self.stockColumns), card.age]
        .joined(separator: " ")
      return TerminalLine(
        [
          number.padded(toColumns: numberColumns), card.name.padded(toColumns: name),
          card.price.toPay.padded(toColumns: priceColumns, alignment: .trailing),
          " " + facts.truncated(toColumns: Self.factColumns),
        ].joined(separator: " "))
    }
  }
}

package import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// Page for a terminal, as `curl` prints it: lines of 80 columns, with colours and block pictures or
/// without.
package struct TerminalPage {
  static let columns = 80
  /// Maximum width of a product's text in columns.
  private static let textColumns = 72

  /// Size of a picture in dots, and whether it fills the box or fits into it.
  package struct PictureBox: Hashable, Sendable {
    package let size: PixelSize
    package let isFilled: Bool
  }

  private let content: PageContent
  private let context: PageContext
  private let pictures: [Picture: BlockPicture]
  private var strings: Strings { context.strings }
  private var site: PageSite { context.site }

  /// Creates a page; `pictures` are those of `wants(_:)` that could be decoded.
  package init(
    _ content: PageContent, _ context: PageContext, pictures: [Picture: BlockPicture] = [:]
  ) {
    self.content = content
    self.context = context
    self.pictures = pictures
  }

  /// Pictures of a page in colours, with their box.
  package static func wants(
    _ content: PageContent
  ) -> (pictures: [Picture], box: PictureBox) {
    switch content.body {
    case .list(let list):
      (list.cards.compactMap(\.thumbnail), TerminalCards.box)
    case .product(let product):
      (Array(product.pictures.prefix(1)), Self.box)
    case .notice: ([], Self.box)
    }
  }

  private static let box = PictureBox(size: PixelSize(width: 64, height: 48), isFilled: false)

  /// Page in UTF-8; without colours it has no control characters but line ends.
  package func bytes(isColored: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in lines(isColored: isColored) { line.append(to: &bytes, isColored: isColored) }
    return bytes
  }

  private func lines(isColored: Bool) -> [TerminalLine] {
    let main: [TerminalLine] =
      switch content.body {
      case .list(let list): self.list(list, isColored: isColored)
      case .product(let product): self.product(product, isColored: isColored)
      case .notice(let sentence): notice(sentence)
      }
    return [bar, .blank] + main + [.blank] + commandHints
  }

  // MARK: Around every page

  private var bar: TerminalLine {
    var line = TerminalLine("OpenMarket", .accent)
    var position = site.title
    switch content.body {
    case .list(let list): if let count = list.count { position = position + " · " + count }
    case .product(let product): position = position + " › #" + SafeText(product.id.rawValue)
    case .notice: break
    }
    line.add("  " + position.truncated(toColumns: Self.columns - line.columns - 2), .dim)
    return line
  }

  /// Commands are not wrapped, so that they can be copied.
  private var commandHints: [TerminalLine] {
    var lines = [TerminalLine(strings[.pageOpenInTerminal], .strong)]
    for (command, note) in TerminalCommandHints(content, context).commands {
      lines.append(TerminalLine("  " + command, .accent))
      if let note { lines.append(TerminalLine("    " + note, .dim)) }
    }
    return lines
  }

  // MARK: Lists

  private func list(_ list: ListContent, isColored: Bool) -> [TerminalLine] {
    var lines: [TerminalLine] = []
    if let seller = list.seller {
      lines.append(TerminalLine(seller.name.truncated(toColumns: Self.columns), .strong))
      lines += seller.contact.wrapped(toColumns: Self.columns).map { TerminalLine($0, .dim) }
      lines.append(.blank)
    } else if !list.line.isEmpty {
      lines.append(TerminalLine(("/ " + list.line).truncated(toColumns: Self.columns), .strong))
      lines += list.notes.flatMap { $0.wrapped(toColumns: Self.columns) }
        .map { TerminalLine($0, .warning) }
      lines.append(.blank)
    }
    let cards = TerminalCards(list.cards, pictures, strings)
    // Cards end with a blank line of their own.
    lines += isColored ? cards.grid : cards.rows + [.blank]
    if list.cards.isEmpty {
      lines += [list.empty, list.other?.text].compactMap(\.self).map { TerminalLine($0) }
    }
    return lines + further(list)
  }

  /// Commands for a product and for the next page.
  private func further(_ list: ListContent) -> [TerminalLine] {
    var lines: [TerminalLine] = []
    if let card = list.cards.first {
      let address = PageAddress(.product(card.id), below: site.address)
      lines.append(TerminalLine(strings(.pageWithCurl, SafeText("curl " + address.text)), .dim))
    }
    if let next = list.next {
      let address = PageAddress(next, below: site.address)
      lines.append(
        TerminalLine(strings[.pageNext] + ": " + SafeText("curl '" + address.text + "'"), .dim))
    }
    return lines
  }

  // MARK: Notices

  /// Sentence of a notice, and the command for all products.
  private func notice(_ sentence: SafeText) -> [TerminalLine] {
    let home = PageAddress(.home, below: site.address)
    return sentence.wrapped(toColumns: Self.columns).map { TerminalLine($0) } + [
      .blank,
      TerminalLine(strings[.pageToMarket] + ": " + SafeText("curl " + home.text), .dim),
    ]
  }

  // MARK: Products

  private func product(_ product: ProductContent, isColored: Bool) -> [TerminalLine] {
    var lines: [TerminalLine] = []
    if isColored, let picture = product.pictures.first.flatMap({ pictures[$0] }) {
      lines = picture.rows.map { row in
        var line = TerminalLine()
        line.add(row)
        return line
      }
      lines.append(.blank)
    }
    lines += product.name.wrapped(toColumns: Self.columns).map { TerminalLine($0, .strong) }
    lines.append(price(of: product, isColored: isColored))
    lines += facts(of: product)
    lines.append(TerminalLine(SafeText(String(repeating: "─", count: Self.columns)), .dim))
    lines += product.lines.flatMap { $0.wrapped(toColumns: Self.textColumns) }
      .map { TerminalLine($0) }
    let start = site.address
    if product.isCut {
      lines.append(TerminalLine(strings[.pageTextGoesOn], .dim))
      let address = PageAddress(dataOf: product.id, below: start)
      lines.append(TerminalLine(SafeText("curl " + address.text), .dim))
    }
    return lines + photos(of: product) + questions(of: product) + others(of: product)
  }

  // MARK: Questions

  /// Questions with answers and notes.
  ///
  /// Only the page writes the first column, so that no text can imitate an answer or a name.
  private func questions(of product: ProductContent) -> [TerminalLine] {
    var lines = product.questionsTitle.map { [TerminalLine($0, .strong)] } ?? []
    for question in product.questions {
      let head = [question.asker, question.question.age, question.offer].compactMap(\.self)
      lines.append(TerminalLine("• " + head.joined(separator: " · "), .dim))
      lines += Self.wrapped(question.question.text, behind: "  ")
      guard let answer = question.answer else { continue }
      lines.append(TerminalLine("▌ " + strings[.columnSeller] + " · " + answer.age, .accent))
      lines += Self.wrapped(answer.text, behind: "▌ ")
    }
    lines += product.questionNotes.flatMap { $0.wrapped(toColumns: Self.columns) }
      .map { TerminalLine($0, .dim) }
    return lines.isEmpty ? [] : [.blank] + lines
  }

  private static func wrapped(_ text: SafeText, behind start: SafeText) -> [TerminalLine] {
    text.wrapped(toColumns: textColumns).map { line in
      var whole = TerminalLine(start, .accent)
      whole.add(line)
      return whole
    }
  }

  private func others(of product: ProductContent) -> [TerminalLine] {
    guard !product.others.isEmpty else { return [] }
    let address = PageAddress(.seller(product.sellerID, after: nil), below: site.address)
    return [.blank, TerminalLine(strings[.otherProducts], .strong)]
      + TerminalCards(product.others, pictures, strings).rows
      + [TerminalLine(product.othersCount + ": " + SafeText("curl " + address.text), .dim)]
  }

  /// Paths of the pictures without the host, since whole addresses are wider than the page.
  private func photos(of product: ProductContent) -> [TerminalLine] {
    guard !product.pictures.isEmpty else { return [] }
    let heading = strings(.pagePhotosBelow, SafeText(site.address))
    return [.blank, TerminalLine(heading, .dim)]
      + product.pictures.map {
        TerminalLine("  " + SafeText(PageAddress($0, .original, below: "").text), .dim)
      }
  }

  /// Facts and age in one line, seller and contact in another.
  private func facts(of product: ProductContent) -> [TerminalLine] {
    let facts = product.facts + [product.age]
    let seller = [product.seller, product.contact].compactMap(\.self).filter { !$0.isEmpty }
    return [facts, seller].flatMap {
      $0.joined(separator: " · ").wrapped(toColumns: Self.columns)
    }.map { TerminalLine($0, .dim) }
  }

  /// Price with the old one and the percentage, preceded by "reserved" where it applies.
  private func price(of product: ProductContent, isColored: Bool) -> TerminalLine {
    var price = product.price
    guard let reserved = price.reserved else {
      return Self.price(price, columns: Self.columns, isColored: isColored)
    }
    price.reserved = nil
    var line = TerminalLine(Self.badge(reserved, isColored: isColored), .accent)
    line.add("  ")
    line.add(Self.price(price, columns: Self.columns - line.columns, isColored: isColored))
    return line
  }

  /// Word set off by colours or brackets.
  private static func badge(_ word: SafeText, isColored: Bool) -> SafeText {
    isColored ? word : "[" + word + "]"
  }

  /// Price to pay and the facts that fit beside it; without colours the old price is in brackets.
  static func price(_ price: PagePrice, columns: Int, isColored: Bool) -> TerminalLine {
    var line = TerminalLine(
      price.toPay.truncated(toColumns: columns),
      price.isSold ? .dim : price.old == nil ? .strong : .warning)
    let old = price.old.map { isColored ? $0 : "(" + $0 + ")" }
    let reserved = price.reserved.map { badge($0, isColored: isColored) }
    let note = (
      reserved ?? price.percent, reserved == nil ? TerminalLine.TextStyle.dim : .accent
    )
    for (text, style) in [(old, TerminalLine.TextStyle.struck), note] {
      guard let text, line.columns + 1 + text.columns <= columns else { continue }
      line.add(" ")
      line.add(text, style)
    }
    return line
  }
}

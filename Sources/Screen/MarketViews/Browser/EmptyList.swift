internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Text in place of an empty product list: what happened, where, and the keys for the next steps.
struct EmptyList {
  let browser: BrowserModel
  let market: SafeText
  /// Address of the market; nil for a local file.
  let address: SafeText?
  /// Whether the local file is the default one.
  let isUsualFile: Bool
  /// Queries with fewer filters that have results.
  let wider: WiderQueries
  /// Current request for products.
  let request: SearchRequest
  /// Note that the requested seller is unknown; nil for a known seller.
  let unknownSeller: SafeText?
  /// Whether the seller's own products are shown.
  let isOwn: Bool
  /// Keys that are active.
  let keys: [KeyRow]
  let rect: CellRect
  let context: RenderContext

  private static let hintGap = 6

  /// Reason why there are no rows.
  private enum Reason {
    case nothingForSale, nothingOwn
    case noMatches(text: String)
    case filtered
    case failed(RepositoryError)
    case slow
    /// The market is being scanned, or the user stopped the scan.
    case scanning
  }

  /// Next step: a key with its label, or a label alone.
  private struct Hint {
    let row: KeyRow?
    let key: SafeText
    let word: SafeText

    var columns: Int { key.columns + (key.isEmpty ? 0 : 1) + word.columns }
  }

  /// Line of text, or keys side by side, each with its column.
  private struct Line {
    var text = SafeText.empty
    var style = Style()
    var hints: [(column: Int, hint: Hint)] = []
    /// Query that a click on the line shows; nil for other lines.
    var query: ProductQuery?
    var columns: Int
  }

  /// Whether the text is shown in place of rows.
  static func isShown(of browser: BrowserModel) -> Bool { reason(of: browser) != nil }

  func draw(on canvas: inout Canvas) {
    canvas.clipped(to: rect) { canvas in
      for (row, line) in placed {
        guard line.hints.isEmpty else {
          for (column, hint) in line.hints {
            draw(hint, at: CellPoint(column: column, row: row), on: &canvas)
          }
          continue
        }
        let column = (rect.columns - line.columns) / 2
        canvas.write(line.text, at: CellPoint(column: column, row: row), style: line.style)
      }
    }
  }

  /// Key whose label is at a point; nil for none.
  func row(at point: CellPoint) -> KeyRow? {
    let position = CellPoint(column: point.column - rect.minColumn, row: point.row - rect.minRow)
    guard let line = placed.first(where: { $0.row == position.row })?.line else { return nil }
    return line.hints.first { ($0.column..<$0.column + $0.hint.columns).contains(position.column) }?
      .hint.row
  }

  /// Query whose line is at a point; nil for none.
  func widerQuery(at point: CellPoint) -> ProductQuery? {
    placed.first { $0.row == point.row - rect.minRow }?.line.query
  }

  private func draw(_ hint: Hint, at position: CellPoint, on canvas: inout Canvas) {
    canvas.write(hint.key, at: position, style: context.theme.accent)
    let start = hint.key.isEmpty ? 0 : hint.key.columns + 1
    canvas.write(hint.word, at: position.moved(columns: start), style: context.theme.secondary)
  }
}

// MARK: Text

extension EmptyList {
  /// Reason, adapted to the user's own products or those of another seller.
  private var reason: Reason? {
    guard let reason = Self.reason(of: browser) else { return nil }
    if case .nothingOwn = reason, !isOwn { return .filtered }
    return reason
  }

  private static func reason(of browser: BrowserModel) -> Reason? {
    let feed = browser.feed
    guard feed.count == 0 else { return nil }
    switch feed.phase {
    case .failed(let error): return .failed(error)
    case .loading where browser.reconnection.isNeeded:
      return browser.reconnection.failure.map { .failed($0) }
    case .loading where feed.isScanning: return .scanning
    case .loading: return browser.spinner.isSlow ? .slow : nil
    case .stopped: return .scanning
    case .idle: return nil
    case .ended:
      let query = feed.query
      if !query.text.isEmpty { return .noMatches(text: query.text) }
      if !query.parts.subtracting([.seller]).isEmpty { return .filtered }
      return query.sellers.isEmpty ? .nothingForSale : .nothingOwn
    }
  }

  private var strings: Strings { context.strings }

  private func title(_ reason: Reason) -> SafeText {
    switch reason {
    case .nothingForSale: strings[.emptyMarket]
    case .nothingOwn: strings[.emptyMine]
    case .noMatches(let text): strings(.emptySearch, SafeText(text))
    case .filtered: strings[.emptyFilter]
    case .failed(.unreachable): strings(.marketUnresponsive, market)
    case .failed(let error): ErrorText.text(error, strings)
    case .slow: strings(.marketSlow, market)
    case .scanning: ScanText.text(browser.feed, strings) ?? strings[.loading]
    }
  }

  private func notes(_ reason: Reason) -> [SafeText] {
    switch reason {
    case .nothingForSale where address == nil:
      [strings[isUsualFile ? .sampleFills : .sampleFillsFile]]
    case .nothingForSale, .nothingOwn, .slow: [otherAddress].compactMap(\.self)
    case .noMatches, .filtered:
      ([unknownSeller ?? filters] + scanLines).compactMap(\.self)
    case .scanning: [ScanText.note(browser.feed, strings)].compactMap(\.self)
    case .failed(let error): reasonNote(error) + [addressAndTries].compactMap(\.self)
    }
  }

  /// Details of the failure under a title that says only that the market does not respond.
  private func reasonNote(_ error: RepositoryError) -> [SafeText] {
    if case .unreachable = error { [ErrorText.text(error, strings)] } else { [] }
  }

  private var addressAndTries: SafeText? {
    let tries =
      browser.reconnection.isNeeded ? OutageText.tries(browser.reconnection, strings) : nil
    let parts = [otherAddress, tries].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  /// Address of the market, unless it is the market's name; nil for a local file.
  private var otherAddress: SafeText? {
    guard let address, address != market, address != market + "/" else { return nil }
    return address
  }

  /// Progress and scope of the scan.
  private var scanLines: [SafeText?] {
    [ScanText.text(browser.feed, strings), ScanText.note(browser.feed, strings)]
  }

  /// Filters in force, which may be why nothing is found; nil without filters.
  private var filters: SafeText? {
    let names = QueryPart.allCases.filter { $0 != .words }.compactMap {
      RequestText.chip($0, of: request, isOwn: isOwn, strings)
    }
    guard !names.isEmpty else { return nil }
    return strings(.filtersInForce, names.joined(separator: " · "))
  }

  /// Queries without one of the filters, in lines that start at one column; the selected one is marked.
  private var widerLines: [Line] {
    let texts = wider.choices.map { choice -> SafeText in
      let count = Self.text(choice.total, strings)
      guard let part = choice.part else {
        let words = [choice.query.text] + choice.query.phrases
        return strings(
          .otherKeyboardMode, SafeText(words.filter { !$0.isEmpty }.joined(separator: " ")), count)
      }
      let chip = RequestText.chip(part, of: request, isOwn: isOwn, strings)
      return strings(.withoutPart, chip ?? strings[part.phrase], count)
    }
    let width = min(rect.columns - 2, 2 + (texts.map(\.columns).max() ?? 0))
    return zip(texts, wider.choices).enumerated().map { index, choice in
      let isSelected = index == wider.selected
      let text = ((isSelected ? "▸ " : "  ") + choice.0).truncated(toColumns: width)
      return Line(
        text: text, style: isSelected ? context.theme.accent : context.theme.text,
        query: choice.1.query, columns: width)
    }
  }

  private static func text(_ total: ProductTotal, _ strings: Strings) -> SafeText {
    switch total {
    case .exactly(let count): strings.counted(.productCount, count)
    case .atLeast(let count): strings.counted(.productCountAtLeast, count)
    case .unknown: .empty
    }
  }

  private func hints(_ reason: Reason) -> [Hint] {
    switch reason {
    case .nothingForSale: [hint("sell", .sellTheFirst), otherMarket].compactMap(\.self)
    case .nothingOwn:
      [hint("sell", .sellAnother), hint("my-products", .showAllHere)].compactMap(\.self)
    case .noMatches:
      (widerHint + [backHint(.showAllHere), hint("search", .searchOther)]).compactMap(\.self)
        + (filters == nil ? [] : [hint("filter", .otherFilters)].compactMap(\.self))
    case .filtered:
      (widerHint + [backHint(.clearFilters), hint("filter", .otherFilters)]).compactMap(\.self)
    case .failed:
      [nextTry, hint("retry", .retryNow), otherMarket].compactMap(\.self)
        + (browser.showsLess ? [backHint(.showAllHere)].compactMap(\.self) : [])
    case .slow: [otherMarket, hint("quit", .quitHere)].compactMap(\.self)
    case .scanning:
      // Of the first two keys only one is active.
      [hint("stop-scan"), hint("continue-scan"), backHint(.showAllHere)].compactMap(\.self)
    }
  }

  private var widerHint: [Hint?] { wider.choices.isEmpty ? [] : [hint("open")] }

  private var otherMarket: Hint? { hint(SharedBindings.marketsName, .otherMarket) }

  /// Key that shows all products, with these words; on a seller's page it goes back.
  private func backHint(_ words: Phrase) -> Hint? {
    keys.first { $0.name == "back" }.flatMap {
      hint("back", $0.words == .keyShowAll ? words : nil)
    }
  }

  private var nextTry: Hint? {
    OutageText.nextTry(browser.reconnection, strings).map {
      Hint(row: nil, key: .empty, word: $0)
    }
  }

  /// Key of a command, with `words` in place of its label where they say more here; nil where it is not
  /// active.
  private func hint(_ name: String, _ words: Phrase? = nil) -> Hint? {
    guard let row = keys.first(where: { $0.name == name }), let key = row.keys.first else {
      return nil
    }
    return Hint(row: row, key: KeyName.text(key), word: strings[words ?? row.words])
  }
}

// MARK: Layout

extension EmptyList {
  /// Lines with their rows; blank rows are left out first where there is little room.
  private var placed: [(row: Int, line: Line)] {
    guard let reason, rect.columns > 2 else { return [] }
    let theme = context.theme
    let groups = [
      lines(title(reason), theme.strong), notes(reason).flatMap { lines($0, theme.secondary) },
      widerLines, lines(of: hints(reason)),
    ].filter { !$0.isEmpty }
    let height = groups.reduce(0) { $0 + $1.count }
    let gap = height + groups.count - 1 <= rect.rows ? 1 : 0
    var row = max(0, (rect.rows - height - gap * (groups.count - 1)) / 2)
    var placed: [(row: Int, line: Line)] = []
    for group in groups {
      for line in group {
        placed.append((row, line))
        row += 1
      }
      row += gap
    }
    return placed
  }

  private func lines(_ text: SafeText, _ style: Style) -> [Line] {
    text.wrapped(toColumns: rect.columns - 2).map {
      Line(text: $0, style: style, columns: $0.columns)
    }
  }

  /// Returns the keys side by side, or one below the other where they do not fit.
  private func lines(of hints: [Hint]) -> [Line] {
    let width = hints.reduce(0) { $0 + $1.columns } + Self.hintGap * max(0, hints.count - 1)
    guard !hints.isEmpty else { return [] }
    guard width <= rect.columns - 2 else {
      let start = max(0, (rect.columns - (hints.map(\.columns).max() ?? 0)) / 2)
      return hints.map { Line(hints: [(start, $0)], columns: $0.columns) }
    }
    var column = (rect.columns - width) / 2
    var places: [(column: Int, hint: Hint)] = []
    for hint in hints {
      places.append((column, hint))
      column += hint.columns + Self.hintGap
    }
    return [Line(hints: places, columns: width)]
  }
}

internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// First row of the screen: the program, the market or title with counts, and at the right filters and
/// order.
///
/// Its texts are buttons: a click removes a filter or opens the menu of orders.
struct TopBar {
  let navigator: Navigator
  /// Title in place of the market's name; nil keeps that.
  let title: WindowTitle?
  let rect: CellRect
  let context: RenderContext

  /// Effect of a click on a text.
  enum Action: Hashable {
    /// Runs a command of the top layer by name.
    case command(String)
    /// Shows the products of another query.
    case show(ProductQuery)
    /// Discards the cached password, on any screen.
    case forgetPassword
  }

  /// Text with one style and one action.
  private struct Piece {
    let text: SafeText
    let style: Style
    var action: Action?
  }

  /// Group of pieces that is left out as a whole where there is no room.
  private struct Part {
    let pieces: [Piece]
    let weight: Weight
    /// Text between this part and the one before it.
    let separator: SafeText

    var columns: Int { pieces.reduce(0) { $0 + $1.text.columns } }
  }

  /// Importance of a part, ascending.
  private enum Weight: CaseIterable {
    case note, order, count, trail, chip, place
    /// Never left out, but may be cut.
    case essential
  }

  private static let program: SafeText = "OpenMarket"
  /// Minimum columns for the trail of a product.
  private static let wideColumns = 110
  /// Minimum columns of a name; it is cut to these before filters and position are left out.
  private static let minNameLength = 8
  /// Blank columns between left and right parts.
  private static let gap = 2

  /// Key of the cached drawing: inputs that are not observed.
  struct Key: Equatable {
    let rect: CellRect
    let title: WindowTitle?
    let place: SafeText
  }

  func draw(on canvas: inout Canvas) {
    let key = Key(rect: rect, title: title, place: place)
    context.parts.topBar.draw(key, of: navigator, in: rect, on: &canvas, writing: write)
  }

  private func write(on canvas: inout Canvas) {
    canvas.fill(rect, style: context.theme.bar)
    for (piece, column) in placed {
      canvas.write(piece.text, at: rect.origin.moved(columns: column), style: piece.style)
    }
  }

  /// Returns the action of a click at a point; nil where there is no button.
  func action(at point: CellPoint) -> Action? {
    placed.first { piece, column in
      (column..<column + piece.text.columns).contains(point.column - rect.minColumn)
    }?.piece.action
  }

  private var isWide: Bool { rect.columns >= Self.wideColumns }
}

// MARK: Layout

extension TopBar {
  /// All pieces with their first columns.
  private var placed: [(piece: Piece, column: Int)] {
    let program = Piece(
      text: Self.program, style: context.theme.barAccent, action: .command("help"))
    let start = ScreenLayout.nameColumn
    let end = rect.columns - ScreenLayout.margin
    let (left, right) = fitting(columns: end - start)
    let columns = Self.columns(of: right)
    let room = end - start - (right.isEmpty ? 0 : columns + Self.gap)
    return [(program, ScreenLayout.margin)] + Self.placed(left, from: start, columns: room)
      + Self.placed(right, from: end - columns, columns: columns)
  }

  /// Returns the parts that fit; the least important are left out first.
  private func fitting(columns: Int) -> (left: [Part], right: [Part]) {
    var (left, right) = (leftParts, rightParts)
    for weight in Weight.allCases where weight != .essential {
      while Self.needs(left, right, before: weight) > columns {
        if let index = right.firstIndex(where: { $0.weight == weight }) {
          right.remove(at: index)
        } else if let index = left.lastIndex(where: { $0.weight == weight }) {
          left.remove(at: index)
        } else {
          break
        }
      }
    }
    return (left, right)
  }

  /// Returns the columns of both sides; before filters and position, essential parts count as cut.
  private static func needs(_ left: [Part], _ right: [Part], before weight: Weight) -> Int {
    let cuts = weight == .chip || weight == .place
    let saved = left.reduce(0) { saved, part in
      cuts && part.weight == .essential ? saved + max(0, part.columns - minNameLength) : saved
    }
    return columns(of: left) - saved + (right.isEmpty ? 0 : gap + columns(of: right))
  }

  /// Returns the columns of parts side by side; the first one has no separator.
  private static func columns(of parts: [Part]) -> Int {
    let columns = parts.reduce(0) { $0 + $1.columns + $1.separator.columns }
    return columns - (parts.first?.separator.columns ?? 0)
  }

  /// Returns the pieces of parts side by side, cut after `columns`.
  private static func placed(
    _ parts: [Part], from start: Int, columns: Int
  ) -> [(piece: Piece, column: Int)] {
    var placed: [(piece: Piece, column: Int)] = []
    var column = start
    for (index, part) in parts.enumerated() {
      let separator = Piece(
        text: index == 0 ? .empty : part.separator, style: part.pieces[0].style)
      for piece in [separator] + part.pieces where column < start + columns {
        let text = piece.text.truncated(toColumns: start + columns - column)
        placed.append((Piece(text: text, style: piece.style, action: piece.action), column))
        column += text.columns
      }
    }
    return placed
  }
}

// MARK: Parts

extension TopBar {
  private var market: SafeText { navigator.marketTitle ?? context.strings[.marketLocal] }

  /// Name of the market, with the mark of a menu where there are several.
  private var place: SafeText {
    navigator.markets?.areMany == true ? market + " ▾" : market
  }

  private var leftParts: [Part] {
    let theme = context.theme
    if let title {
      let name = Part(
        pieces: [Piece(text: title.text, style: theme.bar)], weight: .essential, separator: .empty)
      let marks = [triggeredAlerts].compactMap(\.self)
      guard title.tabs.isEmpty else { return title.tabs.map(part) + marks }
      guard title.hasTrail, isWide else { return [name] + marks }
      // The separator belongs to the trail and is left out with it.
      let trail = Part(
        pieces: [
          Piece(text: market, style: theme.barSecondary, action: .command("back")),
          Piece(text: " › ", style: theme.barSecondary),
        ], weight: .trail, separator: .empty)
      return [trail, name] + marks
    }
    return [
      Part(
        pieces: [
          Piece(text: place, style: theme.bar, action: .command(SharedBindings.marketsName))
        ],
        weight: .essential, separator: .empty)
    ]
      + [
        (count, Weight.count, theme.barSecondary), (markedCount, .chip, theme.barSecondary),
        (drafts, .count, theme.barSecondary), (age, .chip, ofOutage), (outage, .count, ofOutage),
      ].compactMap { text, weight, style in
        text.map {
          Part(pieces: [Piece(text: $0, style: style)], weight: weight, separator: " · ")
        }
      } + [new, pendingProducts, triggeredAlerts].compactMap(\.self)
  }

  /// Returns a tab; the chosen one stays longest, and is in brackets where color does not show it.
  private func part(of tab: WindowTitle.Tab) -> Part {
    let theme = context.theme
    let isMarked = tab.isChosen && (context.isPlain || !theme.tellsByColor)
    let piece = Piece(
      text: isMarked ? "[" + tab.text + "]" : tab.text,
      style: tab.isChosen ? theme.bar : theme.barSecondary, action: .command(tab.command))
    return Part(
      pieces: [piece], weight: tab.isChosen ? .essential : .chip, separator: " · ")
  }

  /// Number of products that are new since the last visit and unseen, which counts down as they are
  /// seen, like unread messages; nil for none.
  private var new: Part? {
    let seenTracker = navigator.browser.seenTracker
    guard let count = seenTracker.newCount else { return nil }
    let text =
      if isWide, let visit = seenTracker.lastVisit {
        NewText.count(count, since: visit, now: context.now, context.strings)
      } else {
        NewText.count(count, context.strings)
      }
    let piece = Piece(
      text: text, style: context.theme.barAccent, action: .command(SharedBindings.nextNewName))
    return Part(pieces: [piece], weight: .count, separator: " · ")
  }

  /// Number of products waiting above the list, which a click shows; nil for none.
  private var pendingProducts: Part? {
    let pendingProducts = navigator.browser.live.pendingProducts
    guard !pendingProducts.isEmpty else { return nil }
    let isCounted = pendingProducts.count > 0 || pendingProducts.hasMore
    let count = pendingProducts.hasMore ? PendingNewProducts.most : pendingProducts.count
    let number = SafeText(count) + (pendingProducts.hasMore ? "+" : "")
    let text =
      isCounted
      ? context.strings(.pendingProducts, number, number: count) : context.strings[.listChanged]
    let piece = Piece(
      text: "↑ " + text, style: context.theme.barAccent, action: .command("show-new"))
    return Part(pieces: [piece], weight: .chip, separator: " · ")
  }

  /// Number of unseen triggered alerts, whose list a click opens; nil for none.
  private var triggeredAlerts: Part? {
    guard let count = navigator.program.alerts?.unseen, count > 0 else { return nil }
    let piece = Piece(
      text: "◆ " + SafeText(count), style: context.theme.barAccent,
      action: .command(SharedBindings.alertsName))
    return Part(pieces: [piece], weight: .chip, separator: " · ")
  }

  private var rightParts: [Part] {
    let spinner = Part(
      pieces: [Piece(text: "…", style: context.theme.barSecondary)], weight: .essential,
      separator: .empty)
    return (isBusy ? [spinner] : []) + [passwordCache].compactMap(\.self)
      + (title.map(parts(of:)) ?? filterParts + [orderPart])
  }

  /// Minutes for which a password stays cached, which a click discards; nil without one.
  private var passwordCache: Part? {
    guard let minutes = navigator.selling?.passwordCache.minutesLeft else { return nil }
    let text =
      context.isPlain
      ? context.strings[.passwordCached]
      : context.strings(.passwordCachedFor, SafeText(minutes))
    return Part(
      pieces: [Piece(text: text, style: context.theme.barSecondary, action: .forgetPassword)],
      weight: .count, separator: .spaces(1))
  }

  /// Parts at the right of a title.
  private func parts(of title: WindowTitle) -> [Part] {
    let place = isWide ? title.place : SafeText(title.place.string.filter { $0 != " " })
    let style = context.theme.barSecondary
    return [
      (title.note, Weight.note, SafeText.spaces(2)), (place, .place, .spaces(2)),
      (title.number, .place, .spaces(isWide ? 4 : 1)),
    ]
    .filter { !$0.0.isEmpty }
    .map { Part(pieces: [Piece(text: $0, style: style)], weight: $1, separator: $2) }
  }

  /// Filters of the shown query; a click removes each.
  private var filterParts: [Part] {
    let query = navigator.browser.feed.shownQuery
    let searching = navigator.searching
    let request = searching.named(searching.request(for: query))
    let isOwn = navigator.isOwn(query.sellers)
    return QueryPart.allCases.filter(query.parts.contains).compactMap { part in
      var rest = query
      rest.remove(part)
      let text = RequestText.chip(
        part, of: request, isOwn: isOwn, columns: max(8, rect.columns / 4), context.strings)
      let isTyped = QueryPart.texts.contains(part)
      // The query of own products without a seller has no chip text.
      return chip(
        text ?? context.strings[.filterMine].inLowerCase, isTyped ? .command("search") : nil,
        without: rest)
    }
  }

  /// Returns a filter with its removal mark; a click on its text removes it too, unless `action` is
  /// given.
  private func chip(
    _ text: SafeText, _ action: Action? = nil, without query: ProductQuery
  ) -> Part {
    let style = context.theme.barAccent
    return Part(
      pieces: [
        Piece(text: text, style: style, action: action ?? .show(query)),
        Piece(text: " ×", style: style, action: .show(query)),
      ], weight: .chip, separator: .spaces(3))
  }

  private var orderPart: Part {
    let order = navigator.browser.feed.shownQuery.order
    let offersChoice = navigator.browser.capabilities?.offersMenu ?? true
    let text = context.strings[order.phrase] + (offersChoice ? " ▾" : "")
    return Part(
      pieces: [
        Piece(
          text: text, style: context.theme.barSecondary,
          action: offersChoice ? .command("order") : nil)
      ], weight: order == .newest ? .order : .chip, separator: .spaces(3))
  }

  /// Style of texts about an outage: a warning once the outage is known.
  private var ofOutage: Style {
    navigator.browser.reconnection.isNeeded ? context.theme.barWarning : context.theme.barSecondary
  }

  /// Age of the rows where the market has not responded yet; nil otherwise.
  private var age: SafeText? {
    let feed = navigator.browser.feed
    if let seen = ScanText.seen(feed, context.strings) { return seen }
    return feed.seenAt.map { seconds in
      let age = AgeText.text(Timestamp(seconds: seconds), now: context.now, context.strings)
      return context.strings(feed.isPreview ? .seenBefore : .seenAgo, age)
    }
  }

  private var count: SafeText? {
    switch navigator.browser.feed.productTotal {
    case .exactly(let count): context.strings.counted(.productCount, count)
    case .atLeast(let count): context.strings.counted(.productCountAtLeast, count)
    case .unknown: nil
    }
  }

  /// Text that the market does not respond, with the time of the next attempt; nil where it responds.
  private var outage: SafeText? { OutageText.bar(navigator.browser, context.strings) }

  /// Number of marked products; nil for none.
  private var markedCount: SafeText? {
    guard navigator.hasMarks else { return nil }
    return context.strings(.markedCount, SafeText(navigator.marked.count))
  }

  /// Number of drafts above the seller's own products; nil for none.
  private var drafts: SafeText? {
    guard let count = navigator.draftList?.drafts.count, count > 0 else { return nil }
    return context.strings.counted(.draftCount, count)
  }

  /// Whether data is being loaded.
  private var isBusy: Bool {
    // A plain screen changes only by keys and replies.
    if context.isPlain { return false }
    let browser = navigator.browser
    return browser.spinner.isShown || browser.detail.spinner.isShown
  }
}

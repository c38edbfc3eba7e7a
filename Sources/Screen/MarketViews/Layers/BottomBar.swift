internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Last row of the screen: the most useful keys of the top layer, or the last message beside them.
struct BottomBar {
  let navigator: Navigator
  /// View of the top layer.
  let top: any LayerView
  let rect: CellRect
  let context: RenderContext

  /// Minimum footer position of hints that are removed last where room is short.
  private static let stayingPlaces = 90
  /// Minimum columns for hints beside a message; below, only the message's own key is shown.
  private static let sharedColumns = 80
  /// Blank columns between two hints.
  private static let gap = 2

  /// Key of the cached drawing: inputs that are not observed, or change with each move; conditions of
  /// bindings must read only observed values or these.
  struct Key: Equatable {
    let rect: CellRect
    let chosen: ChosenFacts
    let hasDivider: Bool
    let registeredJustNow: Product.ID?
    let areManyMarkets: Bool
    let hasPreviousMarket: Bool
  }

  func draw(on canvas: inout Canvas) {
    // The inputs of other screens' keys are not known, so these are drawn without cache.
    guard !navigator.stack.isCovered else { return write(on: &canvas) }
    let key = Key(
      rect: rect, chosen: top.frame.chosen, hasDivider: top.frame.layout.divider != nil,
      registeredJustNow: navigator.registeredJustNow?.id,
      areManyMarkets: navigator.markets?.areMany == true,
      hasPreviousMarket: navigator.markets?.previous != nil)
    context.parts.bottomBar.draw(key, of: navigator, in: rect, on: &canvas, writing: write)
  }

  private func write(on canvas: inout Canvas) {
    let theme = context.theme
    canvas.fill(rect, style: theme.bar)
    let hints = hints
    if !context.isPlain, let message {
      let end = hints.first.map { $0.columns.lowerBound - Self.gap } ?? edge
      let room = end - ScreenLayout.margin
      canvas.write(
        message.text.truncated(toColumns: max(0, room)), at: place(ScreenLayout.margin),
        style: message.isError ? theme.barWarning : theme.bar)
    }
    for hint in hints { draw(hint, on: &canvas) }
    if let count {
      canvas.write(
        count, at: place(rect.columns - ScreenLayout.margin - count.columns),
        style: theme.barAccent)
    }
  }

  private func draw(_ hint: Hint, on canvas: inout Canvas) {
    var column = hint.columns.lowerBound
    for key in hint.keys {
      canvas.write(key.name, at: place(column), style: context.theme.barAccent)
      column += key.name.columns + 1
    }
    canvas.write(hint.word, at: place(column), style: context.theme.barSecondary)
  }

  private func place(_ column: Int) -> CellPoint { rect.origin.moved(columns: column) }

  /// Returns the row whose hint is at a point: of a shared hint, the row whose key is there, and the
  /// last row on the label; nil for none.
  func row(at point: CellPoint) -> KeyRow? {
    let column = point.column - rect.minColumn
    guard let hint = hints.first(where: { $0.columns.contains(column) }) else { return nil }
    var end = hint.columns.lowerBound
    for key in hint.keys {
      end += key.name.columns + 1
      if column < end { return key.row }
    }
    return hint.keys.last?.row
  }

  /// Whether a message replaces the hints.
  private var isNarrow: Bool { rect.columns < Self.sharedColumns }

  /// Column after the last one available to hints and messages.
  private var edge: Int {
    rect.columns - ScreenLayout.margin - (count.map { $0.columns + Self.gap } ?? 0)
  }

  /// Count typed before a move; nil without one.
  private var count: SafeText? { navigator.count.map { SafeText($0) } }
}

// MARK: Messages

extension BottomBar {
  /// Message with the keys that answer it, for the line of a plain screen; nil where there is none.
  var announcement: SafeText? {
    message.map { message in
      let answers = message.commands.compactMap { name in top.rows.first { $0.name == name } }
        .map { row in
          KeyName.text(of: row, inWords: context.writesKeysInWords) + " "
            + context.strings[message.words ?? row.words]
        }
      return ([message.text] + answers).joined(separator: " · ")
    }
  }

  private struct Message {
    let text: SafeText
    let isError: Bool
    /// Commands that answer the message.
    let commands: [String]
    /// Label of these commands; nil is their own.
    var words: Phrase?
  }

  /// Present message; nil where only keys are shown.
  private var message: Message? {
    if let notice = navigator.notice {
      return Message(
        text: NoticeText.text(notice, context.strings), isError: notice.isError,
        commands: notice.commands)
    }
    if let note = top.statusMessage {
      return Message(
        text: note.text, isError: note.isWarning, commands: note.command.map { [$0] } ?? [])
    }
    guard navigator.selling?.isOpening == true else { return nil }
    return Message(
      text: context.strings[.asking], isError: false, commands: ["back"], words: .keyCancel)
  }

  /// Returns the hints right of a message; below `sharedColumns` only those of its commands.
  private func hints(beside message: Message) -> [Hint] {
    let rows = message.commands.isEmpty ? [] : top.rows
    let answers = message.commands.compactMap { name in rows.first { $0.name == name } }
    let first = answers.map { hint([$0], words: message.words) }
    guard !isNarrow else { return Self.sideBySide(first, endingAt: edge) }
    let whole = edge - ScreenLayout.margin
    let beside = whole - message.text.columns - Self.gap
    // A message that fits beside its own key replaces the other hints; a message that is cut anyway
    // leaves them a third.
    let room = beside >= Self.width(of: first) ? beside : whole / 3
    let others = placed.filter { hint in
      !hint.keys.contains { key in answers.contains { $0.name == key.row.name } }
    }
    return Self.sideBySide(Self.fitting(first + others, columns: room), endingAt: edge)
  }
}

// MARK: Hints

extension BottomBar {
  /// Key with its label, or keys with a shared label, and their columns, which can be clicked.
  private struct Hint {
    let keys: [(row: KeyRow, name: SafeText)]
    let place: Int
    let word: SafeText
    var columns: Range<Int> = 0..<0

    var width: Int { keys.reduce(word.columns) { $0 + $1.name.columns + 1 } }
  }

  /// Hints that fit, left to right; the first one is removed last, then help and quit.
  private var hints: [Hint] {
    if !context.isPlain, let message { return hints(beside: message) }
    let room = edge - ScreenLayout.margin
    let placed = placed
    let fitting = Self.fitting(placed, columns: room)
    // Without room for all hints, fillers are not tried.
    let isComplete = fitting.count == placed.count
    return Self.sideBySide(isComplete ? filled(fitting, columns: room) : fitting)
  }

  /// Hints of the offered rows with a position, in order, of any total width.
  private var placed: [Hint] {
    // A key that an earlier row has does not run a later one.
    let all = top.footerRows
    let rows = all.indices.filter { index in
      guard all[index].isOffered, let key = all[index].keys.first else {
        return all[index].isOffered
      }
      return !all[..<index].contains { $0.keys.contains(key) }
    }.map { all[$0] }.sorted { ($0.footer ?? 0) < ($1.footer ?? 0) }
    return rows.reduce(into: [[KeyRow]]()) { hints, row in
      if let words = row.jointWords, let last = hints.last, last[0].jointWords == words {
        hints[hints.count - 1].append(row)
      } else {
        hints.append([row])
      }
    }
    .map { hint($0) }
  }

  private func hint(_ rows: [KeyRow], words: Phrase? = nil) -> Hint {
    let words = words ?? (rows.count > 1 ? rows[0].jointWords : nil)
    let inWords = context.writesKeysInWords
    return Hint(
      keys: rows.filter { !$0.keys.isEmpty }.map { ($0, KeyName.text(of: $0, inWords: inWords)) },
      place: rows[0].footer ?? 0, word: context.strings[words ?? rows[0].words])
  }

  /// Returns the hints that fit; those of the highest position below `stayingPlaces` are removed first.
  private static func fitting(_ hints: [Hint], columns: Int) -> [Hint] {
    var hints = hints
    var room = columns - width(of: hints)
    while !hints.isEmpty, room < 0 {
      let least = hints.dropFirst().lastIndex { $0.place < stayingPlaces }
      room += hints.remove(at: least ?? hints.endIndex - 1).width + gap
    }
    return hints
  }

  /// Returns the hints with as many further commands as fit, before help and quit.
  private func filled(_ hints: [Hint], columns: Int) -> [Hint] {
    var room = columns - Self.width(of: hints) - Self.gap
    var fillers: [Hint] = []
    // The shortest hint has a key, a blank and a letter.
    guard room >= 3 else { return hints }
    for row in top.fillerRows where row.isOffered {
      let filler = hint([row])
      guard filler.width <= room else { break }
      fillers.append(filler)
      room -= filler.width + Self.gap
    }
    let end = hints.firstIndex { $0.place >= Self.stayingPlaces } ?? hints.endIndex
    return hints[..<end] + fillers + hints[end...]
  }

  private static func width(of hints: [Hint]) -> Int {
    hints.reduce(-gap) { $0 + $1.width + gap }
  }

  /// Returns the hints with their columns, from the left margin or up to `end`.
  private static func sideBySide(_ hints: [Hint], endingAt end: Int? = nil) -> [Hint] {
    var column = end.map { max(ScreenLayout.margin, $0 - width(of: hints)) } ?? ScreenLayout.margin
    return hints.map { hint in
      var hint = hint
      hint.columns = column..<column + hint.width
      column = hint.columns.upperBound + gap
      return hint
    }
  }
}

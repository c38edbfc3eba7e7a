internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension PickerModel: ViewedLayer {
  package func view(in frame: Frame) -> PickerView { PickerView(model: self, frame: frame) }
}

/// A folder's folders and pictures, with the picture under the cursor beside them; what is typed
/// filters them.
package struct PickerView: LineView {
  package let model: PickerModel
  package let frame: Frame

  package static var screenName: Phrase? { .pickerTitle }
  package static let bindings = BindingTable<PickerView>(choosing + moving + leaving)
  package static var takesOwnKeys: Bool { false }

  private static let choosing: [Binding<PickerView>] = [
    Binding("add-marked", [.enter], .keyAddMarked, footer: 10, when: \.hasMarks) {
      $0.model.choose()
    },
    Binding("open-folder", [.enter, .right], .keyOpenFolder, footer: 10, when: \.opensFolder) {
      $0.model.openFolder()
    },
    Binding("open-folder", [.right], .keyOpenFolder, offered: \.isOnFolder) {
      $0.model.openFolder()
    },
    Binding(
      "add-photo", [.enter], .keyAddPhoto, footer: 10, when: \.addsFile, offered: \.isOnFile
    ) { $0.model.choose() },
    Binding("mark", [" "], .keyMark, footer: 20, offered: \.isOnFile) { $0.model.toggleMark() },
    Binding(
      "folder-up", [.left, .backspace, .control("h")], .keyFolderUp, footer: 30,
      when: \.isUnfiltered, offered: \.hasFolderAbove
    ) { $0.model.goUp() },
    Binding("folder-up", [.left], .keyFolderUp, footer: 30, offered: \.hasFolderAbove) {
      $0.model.goUp()
    },
  ]

  private static let moving: [Binding<PickerView>] =
    SharedBindings.choosing(up: [.up, .control("p")], down: [.down, .control("n")]) {
      $0.model.move(by: $1)
    }
    + pages.grouped(.move)

  private static let pages: [Binding<PickerView>] = [
    Binding("page-down", [.pageDown], .keyPageDown) { $0.model.move(by: $0.layout.list.rows) },
    Binding("page-up", [.pageUp], .keyPageUp) { $0.model.move(by: -$0.layout.list.rows) },
    Binding("first", [.home], .keyFirst) { $0.model.move(by: -.max / 2) },
    Binding("last", [.end], .keyLast) { $0.model.move(by: .max / 2) },
  ]

  private static let leaving: [Binding<PickerView>] = [
    Binding("close", [.escape, .control("c")], .keyClose, footer: 40, when: \.isUnfiltered) {
      $0.model.cancel()
    },
    Binding("close", [.control("c")], .keyClose) { $0.model.cancel() },
    Binding("clear-filter", [.escape], .keyClearFilter, footer: 40, when: \.isFiltered) {
      $0.model.clearFilter()
    },
    SharedBindings.helpOverText(),
  ]

  private var picker: FolderPicker { model.picker }
  private var hasMarks: Bool { !picker.marked.isEmpty }
  private var opensFolder: Bool { !hasMarks && isOnFolder }
  private var addsFile: Bool { !hasMarks && !opensFolder }
  private var isOnFolder: Bool { picker.selectedEntry?.isFolder == true }
  private var isOnFile: Bool { picker.selectedEntry?.isFolder == false }
  private var isUnfiltered: Bool { picker.filter.text.isEmpty }
  private var isFiltered: Bool { !isUnfiltered }
  private var hasFolderAbove: Bool { !picker.folder.isEmpty }

  private var layout: PickerLayout {
    PickerLayout(picker, in: frame.belowPhotos, title: context.strings[.pickerTitle], context)
  }

  package func layOut() { model.fit(rows: layout.list.rows) }

  // MARK: Mouse

  /// A click selects an entry, on its mark it marks; the second of two takes it.
  package func press(at point: CellPoint) -> Bool {
    let list = layout.list
    let index = picker.first + point.row - list.minRow
    guard list.contains(point), picker.entries.indices.contains(index) else { return false }
    if point.column < list.minColumn + FolderEntryRow.markColumns, !picker.entries[index].isFolder {
      model.toggleMark(index)
    } else {
      model.press(index)
    }
    return true
  }

  package func scroll(by notches: Int) -> Bool {
    model.move(by: notches)
    return true
  }

  // MARK: Drawing

  /// The picture that the picker shows.
  package var wants: [PictureWant] { [previewBox.want].compactMap(\.self) }

  private var previewBox: PictureBox {
    PictureBox(model.preview, in: layout.preview, fit: .whole, style: context.pictures)
  }

  package func draw(on canvas: inout Canvas) {
    let layout = layout
    layout.box.draw(on: &canvas)
    if !layout.folder.isEmpty { drawFolder(in: layout.folder, on: &canvas) }
    drawList(in: layout.list, on: &canvas)
    if !layout.filter.isEmpty { drawFilter(in: layout.filter, on: &canvas) }
    if model.preview != nil { previewBox.draw(on: &canvas, from: frame.gallery, context) }
  }

  /// Where one is, and how many files are marked of those that fit.
  private func drawFolder(in rect: CellRect, on canvas: inout Canvas) {
    let count = context.strings(
      .pickerMarked, SafeText(picker.marked.count), SafeText(model.room))
    let (left, right) = rect.splitRight(min(count.columns, rect.columns / 2))
    canvas.write(
      path.keepingEnd(columns: left.columns - 2), at: left.origin, style: context.theme.secondary)
    canvas.write(
      count.truncated(toColumns: right.columns), at: right.origin,
      style: hasMarks ? context.theme.accent : context.theme.secondary)
  }

  private var path: SafeText {
    guard !picker.folder.isEmpty else { return "/" }
    guard picker.folder == model.home || picker.folder.hasPrefix(model.home + "/") else {
      return SafeText(picker.folder)
    }
    return "~" + SafeText(String(picker.folder.dropFirst(model.home.count)))
  }

  private func drawList(in rect: CellRect, on canvas: inout Canvas) {
    guard !picker.entries.isEmpty else {
      for (row, line) in emptiness.wrapped(toColumns: rect.columns).prefix(rect.rows).enumerated() {
        canvas.write(line, at: rect.row(row).origin, style: context.theme.secondary)
      }
      return
    }
    let entries = picker.entries.dropFirst(picker.first).prefix(rect.rows)
    for (row, entry) in entries.enumerated() {
      FolderEntryRow(
        entry: entry, mark: mark(of: entry), isSelected: picker.first + row == picker.selected,
        context: context
      ).draw(in: rect.row(row), on: &canvas)
    }
  }

  private func mark(of entry: FolderEntry) -> FolderEntryRow.Mark {
    picker.isMarked(entry) ? .marked : model.isAdded(entry) ? .added : .unmarked
  }

  /// Why there is nothing to choose from.
  private var emptiness: SafeText {
    let strings = context.strings
    guard picker.isRead else { return strings[.loading] }
    switch picker.listing.problem {
    case .missing: return strings[.pickerMissing]
    case .unreadable: return strings[.pickerUnreadable]
    case nil: return strings[picker.listing.entries.isEmpty ? .pickerEmpty : .pickerNoMatch]
    }
  }

  private func drawFilter(in rect: CellRect, on canvas: inout Canvas) {
    field.draw(on: &canvas, context)
    canvas.write(
      entryCount, at: rect.splitRight(entryCount.columns).right.origin,
      style: context.theme.secondary)
  }

  /// How many entries there are, and of how many where they are filtered.
  private var entryCount: SafeText {
    let listing = picker.listing
    let total = SafeText(listing.entries.count) + (listing.isComplete ? .empty : "+")
    return isUnfiltered ? total : SafeText(picker.entries.count) + "/" + total
  }

  /// The filter, left of the count.
  package var field: FieldLine {
    FieldLine(
      label: context.strings[.pickerFilter], editor: picker.filter,
      rect: layout.filter.splitRight(entryCount.columns + 2).rest,
      hint: context.strings[.pickerFilterHint])
  }
}

extension SafeText {
  /// As much of the end as fits into so many cells.
  fileprivate func keepingEnd(columns limit: Int) -> SafeText {
    guard columns > limit else { return self }
    return limit > 0 ? "…" + dropping(columns: columns - limit + 1) : .empty
  }
}

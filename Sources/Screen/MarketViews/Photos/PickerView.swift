internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension PickerModel: ViewedLayer {
  package func view(in frame: Frame) -> PickerView { PickerView(model: self, frame: frame) }
}

/// Photo picker: folders and pictures of a folder, filtered by typed text, with a preview of the
/// selected picture.
package struct PickerView: LineView, BoxedListView {
  package let model: PickerModel
  package let frame: Frame

  package static var screenName: Phrase? { .pickerTitle }
  package static let bindings = BindingTable<PickerView>(
    choosing + SharedBindings.typedList() + ends + leaving)

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

  private static let ends: [Binding<PickerView>] = [
    Binding("first", [.home], .keyFirst) { $0.move(.first) },
    Binding("last", [.end], .keyLast) { $0.move(.last) },
  ].grouped(.move)

  private static let leaving: [Binding<PickerView>] = [
    Binding("close", [.escape, .control("c")], .keyClose, footer: 40, when: \.isUnfiltered) {
      $0.model.cancel()
    },
    Binding("close", [.control("c")], .keyClose) { $0.model.cancel() },
    Binding("clear-filter", [.escape], .keyClearFilter, footer: 40, when: \.isNarrowed) {
      $0.model.clearFilter()
    },
    SharedBindings.helpOverText(),
  ]

  private var picker: FolderPicker { model.picker }
  private var hasMarks: Bool { !picker.marked.isEmpty }
  private var opensFolder: Bool { !hasMarks && isOnFolder }
  private var addsFile: Bool { !hasMarks && !opensFolder }
  private var isOnFolder: Bool { list.selected?.isFolder == true }
  private var isOnFile: Bool { list.selected?.isFolder == false }
  private var isUnfiltered: Bool { !isNarrowed }
  private var hasFolderAbove: Bool { !picker.folder.isEmpty }

  private var layout: PickerLayout {
    PickerLayout(picker, in: frame.belowPhotos, title: context.strings[.pickerTitle], context)
  }

  package var box: Box { layout.box }
  package var listArea: CellRect { layout.list }

  /// Does nothing: the model fills the list at each change.
  package func fillList() {}

  package func choose(_ entry: FolderEntry) { model.choose() }

  // MARK: Mouse

  /// Selects the clicked entry, or toggles its mark; a second click takes it.
  package func press(at point: CellPoint) -> Bool {
    guard let number = number(at: point) else { return false }
    let isOnMark = point.column < listArea.minColumn + FolderEntryRow.markColumns
    if isOnMark, list.sections.first?.items[number].isFolder == false {
      model.toggleMark(number: number)
    } else {
      model.press(number: number)
    }
    return true
  }

  // MARK: Drawing

  /// Picture of the preview.
  package var wants: [PictureWant] { [previewBox.want].compactMap(\.self) }

  private var previewBox: PictureBox {
    PictureBox(model.preview, in: layout.preview, fit: .whole, style: context.pictures)
  }

  package func draw(on canvas: inout Canvas) {
    let layout = layout
    layout.box.draw(on: &canvas)
    if !layout.folder.isEmpty { drawFolder(in: layout.folder, on: &canvas) }
    drawList(on: &canvas)
    if !layout.filter.isEmpty { drawFilter(in: layout.filter, on: &canvas) }
    if model.preview != nil { previewBox.draw(on: &canvas, from: frame.gallery, context) }
  }

  /// Draws the folder, and how many files are marked of those allowed.
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

  package func words(of entry: FolderEntry) -> [SafeText] { [SafeText(entry.name)] }

  package func draw(_ entry: FolderEntry, in row: ListRow, on canvas: inout Canvas) {
    FolderEntryRow(
      entry: entry, mark: mark(of: entry), isSelected: row.isSelected, context: context
    ).draw(in: row.rect, on: &canvas)
  }

  private func mark(of entry: FolderEntry) -> FolderEntryRow.Mark {
    picker.isMarked(entry) ? .marked : model.isAdded(entry) ? .added : .unmarked
  }

  /// Text why there are no entries.
  package var emptyText: SafeText {
    let strings = context.strings
    guard picker.isRead else { return strings[.loading] }
    switch picker.listing.problem {
    case .missing: return strings[.pickerMissing]
    case .unreadable: return strings[.pickerUnreadable]
    case nil: return strings[.pickerEmpty]
    }
  }

  private func drawFilter(in rect: CellRect, on canvas: inout Canvas) {
    field.draw(on: &canvas, context)
    canvas.write(
      entryCount, at: rect.splitRight(entryCount.columns).right.origin,
      style: context.theme.secondary)
  }

  /// Number of entries, with that of the filtered ones.
  private var entryCount: SafeText {
    let listing = picker.listing
    let total = SafeText(listing.entries.count) + (listing.isComplete ? .empty : "+")
    return isUnfiltered ? total : SafeText(list.count) + "/" + total
  }

  /// Filter line, left of the count.
  package var field: FieldLine {
    FieldLine(
      label: context.strings[.pickerFilter], editor: list.filter,
      rect: layout.filter.splitRight(entryCount.columns + 2).rest,
      hint: context.strings[.pickerFilterHint])
  }
}

extension SafeText {
  /// Returns the end of the text that fits into `limit` columns.
  fileprivate func keepingEnd(columns limit: Int) -> SafeText {
    guard columns > limit else { return self }
    return limit > 0 ? "…" + dropping(columns: columns - limit + 1) : .empty
  }
}

internal import MarketModel
internal import MarketViewModels
internal import TerminalKit

/// What stands where in a form: labels in a column of twelve, fields as strips as long as what goes
/// into them; the description takes the height that is left.
///
/// While the description is edited the photos are folded to a line, which gives it their rows. In a
/// window of fewer than 22 rows photos are always a line and the space between fields goes; where even
/// that does not fit, the form scrolls to the field that has the focus.
struct FormLayout {
  let bounds: CellRect
  /// Whether photos are shown as pictures and groups of fields apart.
  let isRoomy: Bool
  /// Where the pictures stand; empty where they are folded to a line.
  let photos: CellRect
  /// The line that tells about the selected photo.
  let caption: CellRect
  /// The strips of all fields but the photos.
  private(set) var strips: [ProductField: CellRect] = [:]

  private static let labelColumns = 14
  private static let longestField = 60
  private static let shortField = 20
  private static let roomyRows = 22
  private static let firstRoomyRow = 7
  private static let photoRows = 4
  /// What the photos take, with the space around them, where they are a line.
  private static let foldedRows = 3
  private static let smallestDescription = 2

  init(_ bounds: CellRect, form: ProductForm) {
    self.bounds = bounds
    let parts = Parts(of: form)
    let hasSecret = parts.secret != nil
    let tail = hasSecret ? 4 : 2
    let top = Self.firstRoomyRow + parts.texts.count + 1 + parts.numbers.count + 1
    isRoomy =
      bounds.rows >= Self.roomyRows - (hasSecret ? 0 : 3)
      && bounds.rows >= top + Self.smallestDescription + tail
    let columns = min(Self.longestField, bounds.columns - Self.labelColumns - 2)
    let short = min(Self.shortField, columns)
    let left = bounds.minColumn + min(Self.labelColumns, bounds.columns)
    func strip(_ row: Int, _ columns: Int, rows: Int = 1) -> CellRect {
      CellRect(column: left, row: bounds.minRow + row, columns: columns, rows: rows)
    }
    let rest = bounds.columns - Self.labelColumns - 1
    let isFolded = !isRoomy || form.focus == parts.area
    photos = strip(1, isFolded ? 0 : rest, rows: isFolded ? 0 : Self.photoRows)
    caption = strip(isRoomy ? (isFolded ? 1 : 5) : 0, rest)
    var row = isRoomy ? (isFolded ? Self.foldedRows : Self.firstRoomyRow) : 1
    for (fields, columns) in [(parts.texts, columns), (parts.numbers, short)] {
      for field in fields {
        strips[field] = strip(row, columns)
        row += 1
      }
      if isRoomy { row += 1 }
    }
    let below = isRoomy ? tail : hasSecret ? 1 : 0
    let height = max(Self.smallestDescription, bounds.rows - row - below)
    if let area = parts.area { strips[area] = strip(row, columns, rows: height) }
    if let secret = parts.secret {
      strips[secret] = strip(row + height + below - (isRoomy ? 2 : 1), short)
    }
  }

  /// The fields of a form but the photos, by how much room they take.
  private struct Parts {
    var texts: [ProductField] = []
    /// Numbers and choices.
    var numbers: [ProductField] = []
    /// The text that takes the height that is left.
    var area: ProductField?
    var secret: ProductField?

    init(of form: ProductForm) {
      for field in form.fields {
        switch form[field] {
        case .line: texts.append(field)
        case .number, .choice: numbers.append(field)
        case .area: area = field
        case .secret: secret = field
        case .photos: break
        }
      }
    }
  }

  /// The strip of a field as the window shows it; nil where it is scrolled away.
  func strip(of field: ProductField, focus: ProductField) -> CellRect? {
    let rect = field == .pictures ? caption : strips[field]
    let focused = focus == .pictures ? caption : strips[focus] ?? caption
    let hidden = max(0, focused.maxRow - bounds.maxRow)
    guard let moved = rect?.offset(rows: -hidden) else { return nil }
    let visible = moved.intersection(bounds)
    return visible.isEmpty ? nil : visible
  }

  /// Where the text of the description stands within its strip.
  var descriptionText: CellRect {
    (strips[.description] ?? .zero).inset(left: 1)
  }

  /// The field at a point of the window, for a click.
  func field(at point: CellPoint, focus: ProductField) -> ProductField? {
    if photos.contains(point) { return .pictures }
    return ProductField.allCases.first {
      strip(of: $0, focus: focus)?.contains(point) == true
    }
  }

  /// Where so many photos, or photos and the place for another one, stand side by side.
  func tiles(count: Int) -> [CellRect] {
    guard count > 0, !photos.isEmpty else { return [] }
    let columns = max(1, min(Self.tileColumns, (photos.columns - count + 1) / count))
    return (0..<count).map { index in
      CellRect(
        column: photos.minColumn + index * (columns + 1), row: photos.minRow, columns: columns,
        rows: photos.rows)
    }
  }

  /// The row of a field's label, which its mark of focus stands on.
  func labelRow(of field: ProductField, in strip: CellRect) -> Int {
    field == .pictures && !photos.isEmpty ? photos.minRow + 1 : strip.minRow
  }

  /// What is left below the photos, for what is asked about them.
  var belowPhotos: CellRect { bounds.inset(top: caption.maxRow - bounds.minRow) }

  private static let tileColumns = 12
}

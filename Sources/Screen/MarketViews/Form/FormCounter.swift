internal import EditorKit
internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Counter of the characters of a text field, which warns before the field is full and says what a
/// paste lost.
struct FormCounter {
  private let used: Int
  private let limit: Int
  /// Characters of the last paste that had no room.
  private let cut: Int

  /// The part of the limit at which it begins to warn, and the fewest characters that are left then.
  private static let (warningShare, minLeft) = (20, 10)

  /// The counter of a field; nil for one that is no text or may be of any length.
  init?(of field: ProductField, in form: ProductForm) {
    limit = form.purpose.rules(of: field).length.upperBound
    guard limit < .max else { return nil }
    switch form[field] {
    case .line(let editor): used = editor.buffer.characters.count
    case .area(let editor): used = editor.buffer.characters.count
    case .number, .choice, .photos, .secret: return nil
    }
    cut = form.cut[field] ?? 0
  }

  var isWarning: Bool { cut > 0 || left <= max(Self.minLeft, limit / Self.warningShare) }

  private var left: Int { max(0, limit - used) }

  var count: SafeText { SafeText("\(used)/\(limit)") }

  /// The count, with what one should know of it before it.
  func text(_ strings: Strings) -> SafeText {
    if cut > 0 { return strings.counted(.formCut, cut) + " · " + count }
    return isWarning ? strings.counted(.formLeft, left) + " · " + count : count
  }
}

internal import EditorKit
internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Counter of the characters of a text field, which warns before the limit and reports what a paste
/// lost.
struct FormCounter {
  private let used: Int
  private let limit: Int
  /// Characters of the last paste that were cut off.
  private let cut: Int

  /// Divisor of the limit for the remaining characters at which it warns, and minimum of these.
  private static let (warningShare, minLeft) = (20, 10)

  /// Creates the counter of a field; nil for fields without text or limit.
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

  /// Number of characters, with a warning before it.
  func text(_ strings: Strings) -> SafeText {
    if cut > 0 { return strings.counted(.formCut, cut) + " · " + count }
    return isWarning ? strings.counted(.formLeft, left) + " · " + count : count
  }
}

import Expectations
import MarketModel
import MarketStrings
import MarketViews
import SafeTextKit
import TestSupport
import Testing

struct FieldTextTests {
  /// The fields that details show in a place of their own.
  private static let placed: Set<ProductField> = [
    .name, .price, .currency, .discount, .stock, .description,
  ]

  @Test(arguments: [Language.korean, .english])
  func `what has no place of its own is told behind the rest, in words`(language: Language) {
    let strings = Strings(language)

    let further = FieldText.further(.sample, strings)

    expect(further.map(\.field), ProductField.valued.filter { !Self.placed.contains($0) })
    for (field, text) in further {
      #expect(!text.isEmpty)
      guard case .choice = field.kind else { continue }
      expect(text, field.phrase(of: FieldSample[field].text).map { strings[$0] })
    }
    let absent = FieldText.further(.plain, strings).filter { $0.field.isOptional }
    #expect(absent.isEmpty)
  }
}

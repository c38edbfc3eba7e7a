internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Texts of a draft in a list: its name, kind and age.
enum DraftLine {
  static func texts(_ draft: Draft, _ context: RenderContext) -> (left: SafeText, right: SafeText) {
    let strings = context.strings
    let kind: Phrase =
      switch draft.target {
      case .registration where draft.isTemplate: .draftTemplate
      case _ where draft.isWaiting: .draftQueued
      case .registration: .draftOfRegistration
      case .edit: .draftOfEdit
      case .question: .draftOfQuestion
      case .answer: .draftOfAnswer
      }
    return (name(of: draft, strings), strings[kind] + " · " + age(of: draft, context))
  }

  static func age(of draft: Draft, _ context: RenderContext) -> SafeText {
    AgeText.text(draft.changed, now: context.now, context.strings)
  }

  /// Returns the draft's name; without one, the file of its first photo and the price, as far as these
  /// exist.
  static func name(of draft: Draft, _ strings: Strings) -> SafeText {
    let name = SafeText(draft.templateName ?? draft.values.name)
    guard name.isEmpty else { return name }
    let photo = draft.values.photos.first.map { photo in
      photo.name.isEmpty ? strings[.formPhotoKept] : SafeText(photo.name)
    }
    let known = [photo, FieldText.amount(of: .price, in: draft.values)].compactMap(\.self)
    return known.isEmpty ? strings[.draftUnnamed] : known.joined(separator: " · ")
  }
}

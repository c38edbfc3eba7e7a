internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// A draft in a list: its name, and what it is and how old.
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

  /// Its name, or else the file of its first photo and the price, as far as they are there.
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

package import MarketModel

/// Dialog for the choice of one of several values; many of them are narrowed by typing.
package final class ChoiceModel: Dialog, ListModel {
  package let reply = Reply<String>()
  package let subject: Subject
  package let list = SectionedList<Never, Choice>()
  package let sections: [ListSection<Never, Choice>]

  /// Called with each newly selected value, for a preview.
  private let follow: (String) -> Void
  @Observed private var followed: String

  package enum Subject: Hashable, Sendable {
    case field(ProductField)
    case setting(SettingRow)
    /// Choices of a field of the filter; their ids are their indices.
    case filter(FilterModel.Field, [FilterModel.Choice])
  }

  /// Value, as stored by a form or the settings file.
  package nonisolated struct Choice: Hashable, Identifiable, Sendable {
    package let id: String
  }

  init(
    _ choices: [String], selected: String, of subject: Subject,
    follow: @escaping (String) -> Void = { _ in }
  ) {
    self.subject = subject
    self.follow = follow
    followed = selected
    sections = [ListSection(choices.map(Choice.init))]
    list.show(sections)
    list.select(selected)
  }

  /// Maximum number of choices that are chosen by number or by steps instead of typing.
  package nonisolated static let maxShort = 4

  /// Whether typed words narrow the choices.
  package var isNarrowedByTyping: Bool {
    sections.reduce(0) { $0 + $1.items.count } > Self.maxShort
  }

  package func didSelect() {
    guard let selected = list.selected?.id, selected != followed else { return }
    followed = selected
    follow(selected)
  }

  package func choose(_ choice: Choice) { reply.give(choice.id) }

  package func cancel() { reply.give(nil) }
}

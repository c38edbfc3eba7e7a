package import MarketModel

/// Dialog for the choice of one of several values.
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

  package func didSelect() {
    guard let selected = list.selected?.id, selected != followed else { return }
    followed = selected
    follow(selected)
  }

  package func choose(_ choice: Choice) { reply.give(choice.id) }

  package func cancel() { reply.give(nil) }
}

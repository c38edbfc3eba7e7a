package import MarketModel
import Observation

/// Box with words of which one is chosen.
@Observable
package final class ChoiceModel: Dialog {
  package let reply = Reply<String>()
  package let subject: Subject
  /// As a form or the settings file holds them.
  package let choices: [String]
  package private(set) var selected: Int

  /// Learns which one is selected, as the selection moves.
  private let follow: (String) -> Void

  package enum Subject: Hashable, Sendable {
    case field(ProductField)
    case setting(SettingRow)
  }

  init(
    _ choices: [String], selected: String, of subject: Subject,
    follow: @escaping (String) -> Void = { _ in }
  ) {
    self.choices = choices
    self.selected = choices.firstIndex(of: selected) ?? 0
    self.subject = subject
    self.follow = follow
  }

  package func move(by distance: Int) {
    let target = (selected + distance).clamped(to: 0...max(0, choices.count - 1))
    guard target != selected else { return }
    selected = target
    follow(choices[target])
  }

  package func choose() { if !choices.isEmpty { reply.give(choices[selected]) } }

  package func cancel() { reply.give(nil) }
}

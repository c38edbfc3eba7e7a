internal import MarketModel
import Observation

/// The drafts that are offered before a new form is begun.
@Observable
package final class DraftsModel: Layer {
  package private(set) var list: DraftList

  /// Choice that somebody makes in the list.
  enum Answer {
    /// Goes on with a draft, or begins anew without one.
    case open(Draft?)
    case remove(Draft.ID)
    case none
  }

  private let stack: LayerStack
  private let didAnswer: (Answer) -> Void
  /// The question about a draft, over the list.
  @ObservationIgnored private var question: QuestionModel?

  init(_ drafts: [Draft], on stack: LayerStack, didAnswer: @escaping (Answer) -> Void) {
    list = DraftList(drafts)
    self.stack = stack
    self.didAnswer = didAnswer
  }

  package func move(by distance: Int) { list.move(by: distance) }

  package func choose() { didAnswer(.open(list.selectedDraft)) }

  /// Asks whether the selected draft is to go.
  package func askToRemove() {
    guard let draft = list.selectedDraft else { return }
    let question = QuestionModel(.draftRemoval(name: draft.values.name)) { [self] answer in
      closeQuestion()
      if answer == .yes { remove(draft.id) }
    }
    self.question = question
    stack.push(question)
  }

  package func cancel() { didAnswer(.none) }

  package func didClose() { closeQuestion() }

  private func closeQuestion() {
    if let question { stack.close(question) }
    question = nil
  }

  private func remove(_ id: Draft.ID) {
    list.remove(id)
    didAnswer(.remove(id))
  }
}

/// The drafts that are offered before a new form is begun, the latest first.
package struct DraftList {
  package private(set) var drafts: [Draft]
  /// The place behind the last draft begins a new form.
  package private(set) var selected = 0

  package init(_ drafts: [Draft]) {
    self.drafts = drafts
  }

  package var selectedDraft: Draft? {
    drafts.indices.contains(selected) ? drafts[selected] : nil
  }

  package mutating func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...drafts.count)
  }

  mutating func remove(_ id: Draft.ID) {
    drafts.removeAll { $0.id == id }
    move(by: 0)
  }
}

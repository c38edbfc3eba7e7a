package import EditorKit
internal import MarketModel
import Observation

/// Menu of what can be done with all marked products.
@Observable
package final class SeveralMenuModel: Layer {
  package enum Item: CaseIterable, Hashable, Sendable {
    case price, stock, deletion
  }

  package let count: Int
  package private(set) var selected = 0

  init(count: Int) {
    self.count = count
  }

  package func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...Item.allCases.count - 1)
  }
}

/// The line in which is typed what becomes of the price or the stock of several products.
@Observable
package final class SeveralLineModel: LineLayer {
  package enum Subject: Hashable, Sendable {
    case price, stock
  }

  package let subject: Subject
  package private(set) var editor = LineEditor("", limit: 20)
  /// Whether what was typed cannot be read, until it changes.
  package private(set) var isRefused = false

  private let didEnd: (SeveralLineModel, SeveralChange?) -> Void

  init(_ subject: Subject, didEnd: @escaping (SeveralLineModel, SeveralChange?) -> Void) {
    self.subject = subject
    self.didEnd = didEnd
  }

  package func edit(_ change: (inout LineEditor) -> Void) {
    change(&editor)
    if isRefused { isRefused = false }
  }

  package func confirm() {
    if let change { didEnd(self, change) } else { isRefused = true }
  }

  package func cancel() { didEnd(self, nil) }

  private var change: SeveralChange? {
    switch subject {
    case .price: SeveralChange.PriceStep(editor.text).map { .price($0) }
    case .stock:
      Int64(editor.text.trimmed).flatMap { stock in
        (0...FormRules[.stock].maximum).contains(stock) ? .stock(stock) : nil
      }
    }
  }
}

package import EditorKit
package import MarketModel
import Observation

/// Menu of what can be done with all marked products.
@Observable
package final class BulkMenuModel: Layer {
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
package final class BulkValueModel: LineLayer {
  package enum Subject: Hashable, Sendable {
    case price, stock
  }

  package let subject: Subject
  package private(set) var editor = LineEditor("", limit: 40)
  /// Why what was typed cannot be read, until it changes.
  package private(set) var problem: AmountError?

  private let didEnd: (BulkValueModel, BulkChange?) -> Void

  init(_ subject: Subject, didEnd: @escaping (BulkValueModel, BulkChange?) -> Void) {
    self.subject = subject
    self.didEnd = didEnd
  }

  package func edit(_ change: (inout LineEditor) -> Void) {
    change(&editor)
    if problem != nil { problem = nil }
  }

  package func confirm() {
    do throws(AmountError) {
      didEnd(self, try change())
    } catch {
      problem = error
    }
  }

  package func cancel() { didEnd(self, nil) }

  private func change() throws(AmountError) -> BulkChange {
    switch subject {
    case .price: return .price(try BulkChange.PriceStep(editor.text))
    case .stock:
      let stock = try Amount.count(reading: editor.text)
      guard stock <= FormRules[.stock].maximum else { throw .noAmount }
      return .stock(stock)
    }
  }
}

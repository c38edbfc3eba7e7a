package import EditorKit

/// Filter line over a list, which can still be used.
package final class NarrowingModel: LineLayer {
  private let list: any NarrowedList
  private let stack: LayerStack

  private init(_ list: any NarrowedList, on stack: LayerStack) {
    self.list = list
    self.stack = stack
  }

  package static func open(_ list: any NarrowedList, on navigator: Navigator) {
    navigator.stack.push(NarrowingModel(list, on: navigator.stack))
  }

  package var belongsToLayerBelow: Bool { true }

  package var line: LineEditor { list.filter }

  package func edit(_ change: (inout LineEditor) -> Void) { list.edit(change) }

  /// Clears the filter and closes the line.
  package func clear() {
    list.clearFilter()
    stack.close(self)
  }
}

/// List, as seen by its filter line.
@MainActor package protocol NarrowedList: AnyObject {
  var filter: LineEditor { get }
  func edit(_ change: (inout LineEditor) -> Void)
  func clearFilter()
}

extension SectionedList: NarrowedList {}

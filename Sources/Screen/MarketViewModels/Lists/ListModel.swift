/// Model of a screen or dialog whose content is a list.
@MainActor package protocol ListModel: Layer {
  associatedtype Heading: Hashable
  associatedtype Item: Identifiable & Hashable

  /// The list, with selection and filter.
  var list: SectionedList<Heading, Item> { get }
  /// All items without the filter; empty if only the view knows them.
  var sections: [ListSection<Heading, Item>] { get }
  /// Called when another item may be selected.
  func didSelect()
}

extension ListModel {
  package var sections: [ListSection<Heading, Item>] { [] }
  package func didSelect() {}

  package func move(_ move: Viewport.Move, times: Int = 1) {
    list.move(move, times: times)
    didSelect()
  }

  package func select(number: Int) {
    list.select(number: number)
    didSelect()
  }
}

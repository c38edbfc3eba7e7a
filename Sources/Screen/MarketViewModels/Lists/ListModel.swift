/// Model of a screen or dialog whose content is a list.
@MainActor package protocol ListModel: Layer {
  associatedtype Heading: Hashable
  associatedtype Item: Identifiable & Hashable

  /// What is shown, selected and narrowed.
  var list: SectionedList<Heading, Item> { get }
  /// All that the list shows unless it is narrowed; nothing where only its view knows.
  var sections: [ListSection<Heading, Item>] { get }
  /// Learns that another item may be selected.
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

import MarketStrings
internal import MarketViewModels
internal import TerminalKit

extension SharedBindings {
  /// Keys of a list that covers the body: moving, filtering, going back, and general ones; Ctrl-C quits
  /// the program unless it goes back.
  static func list<V: FullListView>(
    back keys: [KeyPress] = [.escape, "q"], footer: Int = 50
  ) -> [Binding<V>] {
    let pages: [Binding<V>] = paging { $0.move($1, times: $2 ?? 1) }
    let leave: (V, Int?) -> Void = { view, _ in view.leave() }
    let leaving = [back(keys, footer: footer, leave)]
    let quitting: [Binding<V>] = keys.contains(.control("c")) ? [] : [quit()]
    return steps() + pages + narrowing() + leaving + general() + quitting
  }

  /// Keys of a list in a box: choosing by key or number, and moving.
  ///
  /// A choice among several closes the box; a switch is toggled and keeps it open.
  static func boxedList<V: BoxedListView>(
    switching: ((V) -> Bool)? = nil, narrows: Bool = true
  ) -> [Binding<V>] {
    func canSwitch(_ view: V) -> Bool { switching?(view) == true }
    return [
      Binding("choose", [.enter, " "], .keySwitch, footer: 10, when: canSwitch) { $0.choose() },
      Binding("choose", [.enter, " "], .keyChoose, footer: 10, offered: \.hasItems) { $0.choose() }
        .needing(.paletteListEmpty),
      .digits("choose-by-number", 1...9, .keyChooseByNumber, footer: 15) {
        $0.choose(number: $1 - 1)
      },
    ] + steps() + pages() + (narrows ? narrowing() : [])
  }

  /// Keys that move in a list with a text line.
  static func typedList<V: SectionedListView>() -> [Binding<V>] {
    steps(up: [.up, .control("p")], down: [.down, .control("n")]) + pages(isText: true)
  }

  static func steps<V: SectionedListView>(
    up: [KeyPress] = [.up, "k", .control("p")], down: [KeyPress] = [.down, "j", .control("n")]
  ) -> [Binding<V>] {
    [
      .counted("up", up, .keyUp) { $0.move(.up, times: $1 ?? 1) },
      .counted("down", down, .keyDown) { $0.move(.down, times: $1 ?? 1) },
    ].grouped(.move)
  }

  static func pages<V: SectionedListView>(isText: Bool = false) -> [Binding<V>] {
    let pages: [Binding<V>] = [
      Binding("page-down", [.pageDown], .keyPageDown) { $0.move(.pageDown) },
      Binding("page-up", [.pageUp], .keyPageUp) { $0.move(.pageUp) },
    ]
    let ends: [Binding<V>] = [
      Binding("first", [.home, "g"], .keyFirst) { $0.move(.first) },
      Binding("last", [.end, "G"], .keyLast) { $0.move(.last) },
    ]
    return (isText ? pages : pages + ends).grouped(.move)
  }

  /// Keys that filter a list by typed words, and clear the filter.
  static func narrowing<V: SectionedListView>() -> [Binding<V>] {
    let mayNarrow = { (view: V) in view.hasItems || view.isNarrowed }
    return [
      Binding("clear-filter", [.escape, "q"], .keyClearFilter, footer: 12, when: \.isNarrowed) {
        $0.list.clearFilter()
      },
      Binding("search", ["/"], .keySearch, footer: 60, offered: mayNarrow) {
        NarrowingModel.open($0.list, on: $0.navigator)
      }.needing(.paletteListEmpty),
    ]
  }
}

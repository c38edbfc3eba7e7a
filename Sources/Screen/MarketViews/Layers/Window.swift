internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

/// Window of the program: draws the stack of layers as one frame, and passes input to the layers from
/// top to bottom.
package struct Window {
  package let navigator: Navigator
  package let size: CellSize
  package let context: RenderContext

  package init(navigator: Navigator, size: CellSize, context: RenderContext) {
    self.navigator = navigator
    self.size = size
    self.context = context
  }

  /// Layout of the window; nil where it is too small.
  package var layout: ScreenLayout? { layout(of: size) }

  private func layout(of size: CellSize) -> ScreenLayout? {
    ScreenLayout(
      size: size, arrangement: navigator.browser.arrangement, isPlain: context.isPlain,
      showsPictures: context.pictures.showsPictures, linesAbove: linesAbove,
      viewState: navigator.browser.viewStates.viewState, movesPanels: context.movesPanels,
      headings: navigator.browser.headings)
  }

  /// Lines above the products: questions and drafts, or the seller.
  private var linesAbove: Int {
    if let drafts = navigator.draftList { return drafts.lines }
    return navigator.sellerVisit == nil ? 0 : SellerCard.lines
  }

  /// Views of all layers, the lowest first.
  ///
  /// In a window that is too small to draw, keys work as in one of the minimum size.
  private var views: [any LayerView] {
    (layout ?? layout(of: ScreenLayout.smallest)).map(views(in:)) ?? []
  }

  private func views(in layout: ScreenLayout) -> [any LayerView] {
    let frame = Frame(navigator: navigator, layout: layout, context: context)
    return navigator.stack.layers.compactMap(frame.view(of:))
  }

  // MARK: Frames

  /// Passes the layout to the models, which may load more products, and requests the wanted pictures.
  package func layOut() {
    guard let layout else { return }
    let views = views(in: layout)
    for view in views { view.layOut() }
    navigator.browser.seenTracker.didLayOut(showsList: Self.visible(views).startIndex == 0)
    navigator.gallery.want(Self.wants(of: views))
  }

  /// Draws a frame without changing state.
  package func draw() -> Canvas {
    var canvas = Canvas(size: size, isLinear: context.isPlain)
    guard let layout else {
      drawTooSmall(on: &canvas)
      return canvas
    }
    context.rows.begin(context)
    context.cards.begin(context)
    context.parts.begin(context)
    let views = views(in: layout)
    let topBar = topBar(of: views, layout)
    topBar.draw(on: &canvas)
    if let top = views.last {
      let bottomBar = bottomBar(of: top, layout)
      bottomBar.draw(on: &canvas)
      if !layout.stateLine.isEmpty {
        StateLine(
          announcement: bottomBar.announcement, state: topBar.state, rect: layout.stateLine,
          context: context
        ).draw(on: &canvas)
      }
    }
    for view in Self.visible(views) { view.draw(on: &canvas) }
    if context.showsCursor { canvas.showCursor(orAt: layout.body.origin) }
    return canvas
  }

  /// Pictures that the window needs, those of the top layer first.
  package var wants: [PictureWant] {
    layout == nil ? [] : Self.wants(of: views)
  }

  private static func wants(of views: [any LayerView]) -> [PictureWant] {
    visible(views).reversed().flatMap(\.wants)
  }

  /// Views from the last one that covers the body on.
  private static func visible(_ views: [any LayerView]) -> ArraySlice<any LayerView> {
    views[(views.lastIndex { $0.coversBody } ?? 0)...]
  }

  private func topBar(of views: [any LayerView], _ layout: ScreenLayout) -> TopBar {
    TopBar(
      navigator: navigator, title: views.lazy.reversed().compactMap(\.title).first,
      rect: layout.topBar, context: context)
  }

  private func bottomBar(of top: any LayerView, _ layout: ScreenLayout) -> BottomBar {
    BottomBar(navigator: navigator, top: top, rect: layout.bottomBar, context: context)
  }

  private func drawTooSmall(on canvas: inout Canvas) {
    let text = context.strings[.tooSmall]
    for (row, line) in text.wrapped(toColumns: max(1, size.columns)).enumerated() {
      canvas.write(line, at: CellPoint(column: 0, row: row), style: context.theme.text)
    }
  }

  // MARK: Input

  /// Active rows of the top layer's keys.
  package var rows: [KeyRow] { views.last?.rows ?? [] }

  /// Handles one input.
  ///
  /// - Returns: the parts of a Hangul syllable that no text took. Each is to be passed as a separate
  ///   shortcut, since each may change the layer for the next one.
  package func handleInput(_ input: InputQueue.Input) -> [KeyPress] {
    var parts: [KeyPress] = []
    switch input {
    case .key(let key), .shortcut(let key):
      if drops(key) { break }
      if case .key = input {
        parts = handle(key)
      } else if !offer({ $0.run(by: key, isTyped: false) }) {
        refuse(key)
      }
    case .paste(let text): paste(text)
    case .mouse(let event): handle(event)
    }
    if parts.isEmpty { navigator.didTakeInput() }
    return parts
  }

  private func handle(_ key: KeyPress) -> [KeyPress] {
    navigator.didPressKey()
    if offer({ $0.handle(key) }) { return [] }
    let shortcuts = views.last?.isText == true ? [key] : key.shortcuts
    if shortcuts != [key] { return shortcuts }
    refuse(key)
    return []
  }

  /// Drops a letter that was typed for a dialog that did not open; returns false for other keys.
  private func drops(_ key: KeyPress) -> Bool {
    let typing = navigator.refusedTyping
    guard typing.isDropping, key.text != nil, views.last?.isText != true else { return false }
    typing.drop()
    return true
  }

  /// Says why a key does nothing; where no command has it, names the key that lists the others.
  private func refuse(_ key: KeyPress) {
    dropCount()
    guard key != .escape, !offer({ $0.refuse(key) }), let top = views.last, !top.isText else {
      return
    }
    let inWords = context.writesKeysInWords
    var reason = context.strings(.keyUnknown, KeyName.text(key, inWords: inWords))
    if let help = top.rows.first(where: { $0.name == "help" }) {
      let name = KeyName.text(of: help, inWords: inWords)
      reason = reason + " · " + name + " " + context.strings[help.words]
    }
    // A key without text may be a terminal's late answer, behind which nobody types for a dialog.
    navigator.refuse(reason, opens: key.text != nil)
  }

  private func paste(_ text: String) {
    navigator.didPressKey()
    dropCount()
    if offer({ $0.paste(text) }) { return }
    if views.last?.followsLinks == true { _ = navigator.followPasted(text) }
  }

  private func handle(_ event: MouseEvent) {
    guard let layout else { return }
    dropCount()
    switch (event.action, event.button) {
    case (.wheelUp, _): _ = offer { $0.scroll(by: -1, at: event.point) }
    case (.wheelDown, _): _ = offer { $0.scroll(by: 1, at: event.point) }
    case (.press, .left): press(at: event.point, layout)
    case (.press, .right): openActions(at: event.point)
    case (.drag, _): _ = offer { $0.drag(to: event.point) }
    case (.release, _): for view in views { view.release() }
    case (.press, .middle): break
    }
  }

  /// Handles a click: on a hint it runs the hint's key, on the top bar the text's action, elsewhere it
  /// goes to the views.
  private func press(at point: CellPoint, _ layout: ScreenLayout) {
    let views = views
    guard let top = views.last else { return }
    if layout.bottomBar.contains(point), !top.coversBottomBar {
      let row = bottomBar(of: top, layout).row(at: point)
      navigator.didPressKey()
      row?.run()
      return
    }
    navigator.didPressKey()
    // A dialog above a screen blocks clicks on the title, which belongs to the screen.
    if layout.topBar.contains(point), top.coversBody {
      if let action = topBar(of: views, layout).action(at: point) { perform(action, of: top) }
      return
    }
    _ = offer { $0.press(at: point) }
  }

  /// Selects the item at a right click and opens its menu of actions.
  private func openActions(at point: CellPoint) {
    navigator.didPressKey()
    guard let top = views.last, top.select(at: point) else { return }
    guard views.last?.rows.contains(where: { $0.name == SharedBindings.actionsName }) == true else {
      return
    }
    navigator.openActions(at: MenuModel.Pointer(column: point.column, row: point.row))
  }

  private func perform(_ action: TopBar.Action, of top: any LayerView) {
    switch action {
    case .command(let name): top.rows.first { $0.name == name }?.run()
    case .forgetPassword: navigator.forgetPassword()
    case .show(let query): navigator.browser.show(query)
    }
  }

  /// Offers input to the top view, then to those below while they pass input; returns true where one
  /// handled it.
  private func offer(_ take: (any LayerView) -> Bool) -> Bool {
    for view in views.reversed() {
      if take(view) { return true }
      if !view.passesInput { break }
    }
    return false
  }

  private func dropCount() { _ = navigator.takeCount() }
}

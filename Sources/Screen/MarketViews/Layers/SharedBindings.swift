import MarketStrings
package import MarketViewModels
package import TerminalKit

/// Rows shared by the key tables of several views.
enum SharedBindings {
  /// Keys for picture methods, mouse and help.
  static func general<V: LayerView>(helpFooter: Int? = 90) -> [Binding<V>] {
    [
      Binding("pictures", ["P"], .keyPictures) { $0.navigator.openPictureModes() }
        .grouped(.view),
      Binding("toggle-mouse", ["M", .control("t")], .keyMouse) { $0.navigator.toggleMouse() }
        .grouped(.mouse),
      Binding("help", ["?", .function(1)], .keyHelp, footer: helpFooter) {
        HelpModel.open(on: $0.navigator)
      }.grouped(.program),
    ]
  }

  /// Help key where letters are text.
  static func helpOverText<V: LayerView>() -> Binding<V> {
    Binding("help", [.function(1)], .keyHelp, footer: 90) { HelpModel.open(on: $0.navigator) }
      .grouped(.program)
  }

  /// Keys of the command palette, in every table.
  static func palette<V: LayerView>() -> [Binding<V>] {
    let (letter, everywhere): (KeyPress, KeyPress) = (":", .function(2))
    return [
      // A colon is text in a text field.
      Binding(paletteName, [letter, everywhere], .keyPalette, when: { !$0.isText }) {
        PaletteModel.toggle(on: $0.navigator)
      },
      Binding(paletteName, [everywhere], .keyPalette) { PaletteModel.toggle(on: $0.navigator) },
    ].grouped(.program)
  }

  static let paletteName = "palette"

  /// Keys for the menu of markets and the previous market; `footer` is the position where the market is
  /// unreachable.
  static func markets<V: LayerView>(
    footer: Int? = nil, isAway: ((V) -> Bool)? = nil
  ) -> [Binding<V>] {
    let areMany = { (view: V) in view.navigator.markets?.areMany == true }
    let away = { (view: V) in areMany(view) && isAway?(view) == true }
    let hasPrevious = { (view: V) in view.navigator.markets?.previous != nil }
    let open = { (view: V) in MarketsModel.open(on: view.navigator) }
    return [
      Binding(marketsName, ["w"], .keyMarkets, footer: footer, when: away, open),
      Binding(marketsName, ["w"], .keyMarkets, when: areMany, open),
      Binding(
        "previous-market", ["W"], .keyPreviousMarket, when: areMany,
        offered: hasPrevious
      ) { $0.navigator.markets?.showPrevious() }.needing(.hintNoOtherMarket),
    ]
  }

  /// Name of the command that opens the menu of markets; a click on the market's name runs it.
  static let marketsName = "markets"

  /// Key that saves the selected draft as a template.
  static func keepingTemplates<V: LayerView>(
    when applies: ((V) -> Bool)?, _ perform: @escaping (V) -> Void
  ) -> Binding<V> {
    Binding("save-template", ["t"], .keySaveTemplate, footer: 25, when: applies, perform)
      .needing(.paletteOnDraft)
  }

  /// Key that opens the settings.
  static func settings<V: LayerView>() -> Binding<V> {
    Binding("settings", [","], .keySettings) { SettingsModel.open(on: $0.navigator) }
  }

  /// Keys that quit; `q` goes back where a layer is above the products.
  static func quit<V: LayerView>(
    _ keys: [KeyPress] = [.control("c")], footer: Int? = nil
  ) -> Binding<V> {
    Binding("quit", keys, .keyQuit, footer: footer) { $0.navigator.program.quit() }
      .grouped(.program)
  }

  /// Keys that go back; while a form is being opened, they cancel that.
  static func back<V: LayerView>(
    _ keys: [KeyPress], _ words: Phrase = .keyBack, footer: Int?,
    when applies: ((V) -> Bool)? = nil,
    offered isOffered: ((V) -> Bool)? = nil,
    _ perform: @escaping (V, Int?) -> Void = { view, _ in view.close() }
  ) -> Binding<V> {
    .counted(
      "back", keys, words, footer: footer, when: applies, offered: isOffered
    ) { view, count in
      if let selling = view.navigator.selling, selling.isOpening {
        return selling.cancelOpening()
      }
      perform(view, count)
    }
  }

  /// Keys that cancel a dialog.
  static func cancel<V: LayerView>(
    footer: Int, _ perform: @escaping (V) -> Void
  ) -> Binding<V> {
    Binding("cancel", [.escape, .control("c")], .keyCancel, footer: footer, perform)
  }

  /// Keys that copy a product as text or address, or show its code: the chosen one, unless `copy`
  /// selects another.
  static func copying<V: LayerView>(
    when applies: ((V) -> Bool)? = nil,
    offered isOffered: ((V) -> Bool)? = nil,
    _ copy: @escaping (V, CopiedForm) -> Void = { $0.navigator.copyProduct(as: $1) }
  ) -> [Binding<V>] {
    [
      Binding("copy", ["y"], .keyCopy, when: applies, offered: isOffered) { copy($0, .text) },
      Binding(
        "copy-address", ["Y", .function(8)], .keyCopyAddress, when: applies, offered: isOffered
      ) { copy($0, .address) }.hinted(when: { _ in false }),
      Binding("show-code", ["#"], .keyShowCode, when: applies, offered: isOffered) {
        copy($0, .code)
      }.hinted(when: { _ in false }),
    ].map { $0.grouped(.product).needing(.paletteNoProduct) }
  }

  /// Key that remembers the chosen product, forgets it, or shows it beside the remembered one.
  static func sideBySide<V: LayerView>(when applies: ((V) -> Bool)? = nil) -> [Binding<V>] {
    func row(_ words: Phrase, footer: Int?, _ step: Navigator.SideBySideStep) -> Binding<V> {
      Binding(
        "side-by-side", ["&"], words, footer: footer,
        when: { applies?($0) != false && $0.navigator.sideBySideStep == step }
      ) { $0.navigator.putSideBySide() }
      .grouped(.product).needing(.paletteNoProduct)
    }
    return [
      row(.keyCompareWithOther, footer: nil, .remember).hinted(when: { _ in false }),
      row(.keyShowSideBySide, footer: 12, .show), row(.keyStopComparing, footer: 12, .forget),
    ]
  }

  /// Key for the menu of actions on the chosen product.
  static func actions<V: LayerView>(
    when applies: ((V) -> Bool)? = nil
  ) -> Binding<V> {
    Binding(actionsName, ["x"], .keyActions, footer: 77, when: applies) {
      $0.navigator.openActions()
    }
    .needing(.paletteNoProduct)
  }

  /// Key for the page of the chosen product's seller.
  static func seller<V: LayerView>(
    when applies: ((V) -> Bool)? = nil
  ) -> Binding<V> {
    Binding(sellerName, ["s"], .keySeller, footer: 79, when: applies) { $0.navigator.visitSeller() }
      .grouped(.product).hinted { $0.navigator.sellerVisit == nil }
  }

  static let sellerName = "seller"

  /// Name of the command that opens the menu of actions; a right click on an item runs it.
  static let actionsName = "actions"

  /// Keys that retry after a failure, and reload where nothing failed.
  static func retry<V: LayerView>(
    _ keys: [KeyPress], footer: Int? = nil,
    offered isOffered: ((V) -> Bool)? = nil
  ) -> Binding<V> {
    Binding("retry", keys, .keyRetry, footer: footer) { $0.navigator.retry() }
      .hinted(when: isOffered)
  }

  /// Keys right after a registration, before all others of a table.
  static func sellingAgain<V: LayerView>() -> [Binding<V>] {
    let isAfter = { (view: V) in view.navigator.registeredJustNow != nil }
    return [
      Binding("sell", ["n"], .keySellAnother, footer: 1, when: isAfter) {
        $0.navigator.sellAnother()
      },
      Binding(
        "open", [.enter], .keyOpenRegistered, footer: 2,
        when: { isAfter($0) && !$0.navigator.showsRegisteredJustNow }
      ) {
        $0.navigator.openRegistered()
      },
    ].grouped(.sell)
  }

  /// Keys for selling; the numbers are positions in the footer, `mine` that of the key that leaves the
  /// own products.
  ///
  /// The footer shows keys that change a product only where its password is known.
  static func selling<V: LayerView>(
    register: Int? = nil, edit: Int? = nil, delete: Int? = nil,
    changing changes: ((V) -> Bool)? = nil,
    mine: Int? = nil
  ) -> [Binding<V>] {
    let mayChange = { (view: V) in view.frame.chosen.mayChange }
    let knowsPassword = { (view: V) in view.frame.chosen.knowsPassword }
    let reason = { (view: V) -> Phrase in
      view.navigator.isChosenGone ? .hintDeleted : .paletteOwnProduct
    }
    let steps = saleSteps(
      footer: edit.map { $0 - 2 }, next: { $0.frame.chosen.nextSteps }, when: changes,
      offered: mayChange, make: { $0.navigator.make($1) })
    let others: [Binding<V>] = [
      Binding("sell", ["n"], .keyRegister, footer: register) {
        $0.navigator.beginRegistration()
      },
      Binding(
        "edit", ["e"], .keyEdit, footer: edit, when: changes, offered: mayChange
      ) { $0.navigator.beginEdit() }
      .grouped(.product).hinted(when: knowsPassword).needing(reason),
      Binding(
        "duplicate", ["c"], .keyDuplicate, when: changes, offered: { $0.frame.chosen.isOwn }
      ) { $0.navigator.beginCopy() }.grouped(.product).needing(.hintNotOwnCopy),
      Binding(
        "delete", ["D", .delete], .keyDelete, footer: delete, isDestructive: true, when: changes,
        offered: mayChange
      ) { $0.navigator.beginDeletion() }
      .grouped(.product).hinted(when: knowsPassword).needing(reason),
      Binding("my-products", ["m"], .keyAllProducts, footer: mine, when: \.navigator.showsMine) {
        $0.navigator.toggleMyProducts()
      },
      Binding("my-products", ["m"], .keyMyProducts) { $0.navigator.toggleMyProducts() },
      undo(),
      Binding(
        "redo-edit", ["U", .alt("_")], .keyRedoEdit,
        offered: { $0.navigator.selling?.canRedo == true }
      ) { $0.navigator.beginRedo() }.needing(.hintNothingToRedo),
      forgetPassword(),
      Binding("edit-seller", ["N", .function(6)], .keyRename) { $0.navigator.beginRenaming() },
    ].grouped(.sell)
    return steps.map { $0.grouped(.product).hinted(when: knowsPassword) }
      + others
  }

  /// Key that undoes the last change.
  static func undo<V: LayerView>() -> Binding<V> {
    Binding(
      "undo-edit", ["u"], .keyUndoEdit, offered: { $0.navigator.selling?.hasEdits == true }
    ) { $0.navigator.beginUndo() }.needing(.hintNothingToUndo)
  }

  /// Keys for the steps of a sale, of which `next` returns the possible ones: reserved or not, sold or
  /// not; `footer` is the first position.
  static func saleSteps<V: LayerView>(
    footer: Int?, next: @escaping (V) -> [SaleStep],
    when applies: ((V) -> Bool)? = nil, offered isOffered: ((V) -> Bool)? = nil,
    make: @escaping (V, SaleStep) -> Void
  ) -> [Binding<V>] {
    func row(_ step: SaleStep, _ name: String, _ keys: [KeyPress], place: Int) -> Binding<V> {
      let refusal = { (view: V) in view.navigator.refusal(of: step, among: next(view)) }
      return Binding(
        name, keys, step.phrase, footer: footer.map { $0 + place },
        when: { applies?($0) != false && next($0).contains(step) },
        offered: { isOffered?($0) != false && refusal($0) == nil }
      ) { make($0, step) }
      .needing { refusal($0).map(NoticeText.phrase) ?? .paletteOwnProduct }
    }
    return [SaleStep.reserve, .endReservation].map { row($0, "reserve", ["z"], place: 0) }
      + [.restock, .sell].map { row($0, "sold", ["Z", .function(3)], place: 1) }
  }

  /// Key that discards the cached password; a click on its mark in the top bar runs it.
  static func forgetPassword<V: LayerView>() -> Binding<V> {
    Binding(
      forgetPasswordName, ["!"], .keyForgetPassword,
      offered: { $0.navigator.selling?.passwordCache.hasPassword == true }
    ) { $0.navigator.forgetPassword() }.needing(.paletteNoPassword)
  }

  static let forgetPasswordName = "forget-password"

  /// Keys for pages and ends of a list or text, and digits of a count.
  static func paging<V: LayerView>(
    _ move: @escaping (V, Viewport.Move, Int?) -> Void
  ) -> [Binding<V>] {
    [
      .digits("count", 0...9, .keyCount, when: \.takesCounts) { $0.navigator.typeDigit($1) },
      .counted("half-page-down", [.control("d")], .keyHalfPageDown) { move($0, .halfPageDown, $1) },
      .counted("half-page-up", [.control("u")], .keyHalfPageUp) { move($0, .halfPageUp, $1) },
      .counted("page-down", [.pageDown, " ", .control("f")], .keyPageDown) {
        move($0, .pageDown, $1)
      },
      .counted("page-up", [.pageUp, "b", .control("b")], .keyPageUp) { move($0, .pageUp, $1) },
      .counted("first", [.home, "g"], .keyFirst) { move($0, .first, $1) },
      .counted("last", [.end, "G"], .keyLast) { move($0, .last, $1) },
    ].grouped(.move)
  }

  /// Keys for the previous and next row of a list of choices.
  static func choosing<V: LayerView>(
    up: [KeyPress] = [.up, "k", .control("p")], down: [KeyPress] = [.down, "j", .control("n")],
    _ move: @escaping (V, Int) -> Void
  ) -> [Binding<V>] {
    [
      Binding("up", up, .keyUp) { move($0, -1) },
      Binding("down", down, .keyDown) { move($0, 1) },
    ].grouped(.move)
  }

  /// Keys for first and last row of a list of choices; `move` clamps to its ends.
  static func ends<V: LayerView>(
    _ move: @escaping (V, Int) -> Void
  ) -> [Binding<V>] {
    [
      Binding("first", [.home, "g"], .keyFirst) { move($0, -.max / 2) },
      Binding("last", [.end, "G"], .keyLast) { move($0, .max / 2) },
    ].grouped(.move)
  }

  /// Keys for the previous and next picture of the detail.
  static func turningPictures<V: LayerView>(
    previous: Int, next: Int, when applies: ((V) -> Bool)? = nil
  ) -> [Binding<V>] {
    let hasOthers = { (view: V) in view.navigator.browser.detail.pictures.count > 1 }
    return [
      Binding(
        "previous-picture", [.left, "h"], .keyPreviousPicture, footer: previous, when: applies,
        offered: hasOthers
      ) { $0.navigator.browser.detail.showPreviousPicture() }
      .grouped(.keyTurnPictures).needing(.paletteNoOtherPicture),
      Binding(
        "next-picture", [.right, "l"], .keyNextPicture, footer: next, when: applies,
        offered: hasOthers
      ) { $0.navigator.browser.detail.showNextPicture() }
      .grouped(.keyTurnPictures).needing(.paletteNoOtherPicture),
    ].grouped(.view)
  }

  /// Keys that save a picture of the detail, or open it in another program.
  static func keepingPictures<V: LayerView>(save: Int? = nil, open: Int? = nil) -> [Binding<V>] {
    let hasPictures = { (view: V) in !view.navigator.browser.detail.pictures.isEmpty }
    return [
      Binding(
        "save-picture", ["S", .control("s")], .keySavePicture, footer: save, when: hasPictures
      ) { $0.navigator.keepPicture(.save) },
      Binding("open-picture", ["O"], .keyOpenPicture, footer: open, when: hasPictures) {
        $0.navigator.keepPicture(.open)
      },
    ].grouped(.product)
  }
}

extension BindingTable where View: LayerView {
  /// Creates a view's table with the keys of the palette; rows without a heading of the help get
  /// `group`.
  package convenience init(_ rows: [Binding<View>], group: BindingGroup = .here) {
    self.init(all: rows + SharedBindings.palette(), group: group)
  }
}

// Keys of the program itself, which precede those of all views.
extension ProgramCommand {
  /// Key of the command, reserved in all views.
  package var key: KeyPress {
    switch self {
    case .redraw: .control("l")
    case .suspend: .control("z")
    }
  }

  /// Returns the command of a key; nil for all others.
  package init?(_ key: KeyPress) {
    guard let command = Self.allCases.first(where: { $0.key == key }) else { return nil }
    self = command
  }

  var words: Phrase {
    switch self {
    case .redraw: .keyRedraw
    case .suspend: .keySuspend
    }
  }
}

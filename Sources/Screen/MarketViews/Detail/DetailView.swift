internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension DetailModel: ViewedLayer {
  package func view(in frame: Frame) -> DetailView {
    DetailView(model: self, frame: frame, rect: frame.body)
  }
}

/// View of one product: pictures with dots and thumbnails, name, prices, facts and description.
package struct DetailView: LayerView {
  package let model: DetailModel
  package let frame: Frame
  /// The body, or a part of it beside the list.
  let rect: CellRect

  package static var screenName: Phrase? { .screenProduct }
  package static let bindings = BindingTable<DetailView>(
    SharedBindings.sellingAgain()
      + [SharedBindings.back([.escape, "q", .backspace], footer: 10)]
      + SharedBindings.turningPictures(previous: 20, next: 30)
      + [
        .counted("previous-product", ["K", "["], .keyPreviousProduct, footer: 51) {
          $0.showNeighbour(-($1 ?? 1))
        }.grouped(.keyTurnProducts),
        .counted("next-product", ["J", "]"], .keyNextProduct, footer: 50) {
          $0.showNeighbour($1 ?? 1)
        }.grouped(.keyTurnProducts),
        .counted("up", [.up, "k"], .keyUp) { $0.move(.up, times: $1 ?? 1) }.grouped(.move),
        .counted("down", [.down, "j"], .keyDown) { $0.move(.down, times: $1 ?? 1) }
          .grouped(.move),
        Binding("refresh", ["r", .function(5)], .keyRefresh, footer: 15, when: \.isOutdated) {
          $0.model.refresh()
        },
        SharedBindings.retry(["R", "r"], offered: \.hasFailed),
        Binding("search", ["/"], .keySearch) { view in
          view.close()
          SearchModel.open(on: view.navigator, in: view.context.strings.language.ofSearch)
        }.grouped(.browse),
        Binding(
          "enlarge", [.enter], .keyEnlarge, footer: 40, offered: \.hasPictures
        ) { PictureModel.open(on: $0.navigator) },
      ]
      + SharedBindings.markets() + SharedBindings.seeing() + SharedBindings.keepingPictures()
      + SharedBindings.copying() + [
        SharedBindings.seller(), SharedBindings.actions(), SharedBindings.asking(footer: 44),
        Binding("questions", ["Q"], .columnQuestions, footer: 45, offered: \.hasQuestions) {
          QuestionsModel.open(on: $0.navigator)
        }.grouped(.product).needing(.questionsNone),
      ]
      + SharedBindings.favorites() + [SharedBindings.history()] + SharedBindings.alerts()
      + SharedBindings.selling(edit: 60, delete: 70) + [SharedBindings.reporting()]
      + SharedBindings.paging { view, move, _ in view.move(move) } + SharedBindings.general()
      + [SharedBindings.settings(), SharedBindings.quit()], group: .browse)

  package static var paletteDirections: Phrase? { .paletteInDetail }
  package static var opens: [any LayerView.Type] {
    [
      ProductCodeView.self,
      PictureView.self, MenuView.self, SettingsView.self, MarketsView.self, SearchView.self,
      QuestionsView.self,
    ]
  }

  package var coversBody: Bool { true }
  package var followsLinks: Bool { true }
  package var takesCounts: Bool { true }

  package var title: WindowTitle? {
    guard let product = model.product else { return nil }
    return WindowTitle(
      product.name, trail: true, place: place(of: product),
      number: "#" + SafeText(product.id.rawValue))
  }

  package var statusMessage: StatusMessage? {
    model.news.map {
      StatusMessage(
        text: DetailPage.text(of: $0, context.strings), command: isOutdated ? "refresh" : nil)
    }
  }

  /// Position of the product in the list and their number; empty where unknown.
  private func place(of product: ListedProduct) -> SafeText {
    let browser = navigator.browser
    guard browser.selected?.id == product.id else { return .empty }
    let number = SafeText(String(grouped: Int64(browser.viewport.selected + 1)))
    switch browser.feed.total {
    case .exactly(let count): return number + " / " + SafeText(String(grouped: Int64(count)))
    case .atLeast(let count): return number + " / " + SafeText(String(grouped: Int64(count))) + "+"
    case .unknown: return .empty
    }
  }

  /// Pictures on the screen, then those that the next keys show.
  package var wants: [PictureWant] {
    let (index, pictures) = (model.pictureIndex, model.pictures)
    let around = [index, index + 1, index - 1]
      .filter(pictures.indices.contains)
      .compactMap { pictureBox(pictures[$0], in: layout.picture).want }
    return around.prefix(1) + thumbnails.wants + around.dropFirst()
  }

  // MARK: Moving

  private static let rowsPerNotch = 3

  package func select(at point: CellPoint) -> Bool { rect.contains(point) }

  package func scroll(by notches: Int) -> Bool {
    scrollPage(by: notches * Self.rowsPerNotch)
    return true
  }

  private var hasFailed: Bool { if case .failed = model.phase { true } else { false } }
  private var hasQuestions: Bool {
    guard case .loaded(let detail) = model.phase else { return false }
    return (model.questions.page(about: detail.product.id)?.count ?? detail.questionCount) > 0
  }
  private var hasPictures: Bool { !model.pictures.isEmpty }
  private var isOutdated: Bool { model.news == .changed }

  private func showNeighbour(_ distance: Int) {
    let browser = navigator.browser
    browser.list.select(browser.viewport.selected + distance)
    if let selected = browser.selected { model.show(selected) }
  }

  /// Scrolls the page like a move in a list.
  func move(_ move: Viewport.Move, times: Int = 1) {
    let rows = layout.viewport.rows
    switch move {
    case .up: scrollPage(by: -times)
    case .down: scrollPage(by: times)
    case .halfPageUp: scrollPage(by: -max(1, rows / 2))
    case .halfPageDown: scrollPage(by: max(1, rows / 2))
    // The pinned row covers one line.
    case .pageUp: scrollPage(by: -max(1, rows - 2))
    case .pageDown: scrollPage(by: max(1, rows - 2))
    case .first: scrollPage(by: -.max / 2)
    case .last: scrollPage(by: .max / 2)
    case .left, .right: break
    }
  }

  /// Scrolls the page by lines, down where positive, at most to its ends.
  func scrollPage(by lines: Int) {
    guard let page else { return }
    model.scroll(by: lines, limit: layout.hiddenLines(page.count))
  }

  /// Shows the picture of a clicked dot or thumbnail; a click on the picture enlarges it.
  package func press(at point: CellPoint) -> Bool {
    guard rect.contains(point) else { return false }
    let layout = layout
    let scrolled = layout.scrollsPicture ? firstLine : 0
    let dots = dots(in: layout.dots.offset(rows: -scrolled))
    if let index = dots.picture(at: point) ?? thumbnails.picture(at: point) {
      model.showPicture(at: index)
    } else if hasPictures, layout.picture.offset(rows: -scrolled).contains(point) {
      PictureModel.open(on: navigator)
    }
    return true
  }

  // MARK: Parts

  private var layout: DetailLayout {
    DetailLayout(
      rect, pictures: model.pictures.count, showsPictures: context.pictures.showsPictures)
  }

  private var page: DetailPage? {
    let layout = layout
    return model.product.map { product in
      DetailPage(
        product, of: model, isOwn: navigator.isOwn(product),
        isFavorite: navigator.isFavorite(product.id), note: navigator.note(of: product.id),
        seenTracker: navigator.browser.seenTracker, in: layout,
        sellerKey: { keyName(of: SharedBindings.sellerName) ?? "s" },
        questionsKey: { keyName(of: "questions") ?? "Q" }, context)
    }
  }

  /// First line of the page on the screen, if nothing is pinned above it.
  private var firstLine: Int {
    min(model.scrolledLines, page.map { layout.hiddenLines($0.count) } ?? 0)
  }

  private func pictureBox(_ picture: Picture?, in rect: CellRect) -> PictureBox {
    var box = PictureBox(picture, in: rect, fit: .whole, style: context.pictures)
    box.alignment = .topLeft
    box.retryKey = "R"
    return box
  }

  private func dots(in rect: CellRect) -> PictureDots {
    PictureDots(count: model.pictures.count, shown: model.pictureIndex, rect: rect)
  }

  private var thumbnails: ThumbnailStrip {
    let layout = layout
    let room = layout.thumbnails.inset(left: dots(in: layout.dots).columns + 2)
    return ThumbnailStrip(
      model.pictures, shown: model.pictureIndex, in: room, style: context.pictures)
  }

  // MARK: Drawing

  package func layOut() {
    model.didLayOutOpen(in: navigator.browser.capabilities)
    navigator.didShowDetail()
  }

  /// Key of the cached drawing: inputs that are not observed.
  struct Key: Equatable {
    let rect: CellRect
    let pictures: PictureStyle
  }

  package func draw(on canvas: inout Canvas) {
    context.parts.detail.draw(
      Key(rect: rect, pictures: context.pictures), of: model, in: rect, on: &canvas, writing: write)
  }

  private func write(on canvas: inout Canvas) {
    guard let page else { return }
    let layout = layout
    let hidden = layout.hiddenLines(page.count)
    let first = min(model.scrolledLines, hidden)
    drawPictures(on: &canvas, scrolledBy: layout.scrollsPicture ? first : 0)
    for row in 0..<layout.viewport.rows {
      page.draw(line: first + row, on: &canvas, in: layout.viewport.row(row))
    }
    if layout.hidesName(scrolledBy: first) {
      page.drawPinned(on: &canvas, in: layout.pinned)
    }
    guard first < hidden, !layout.text.isEmpty else { return }
    canvas.put(
      .moreBelow,
      at: CellPoint(column: layout.blocks.maxColumn, row: layout.viewport.maxRow - 1),
      style: context.theme.accent)
  }

  /// Draws the visible part of picture, dots and thumbnails, scrolled by `rows`.
  private func drawPictures(on canvas: inout Canvas, scrolledBy rows: Int) {
    let layout = layout
    thumbnails.draw(on: &canvas, from: frame.gallery, context)
    guard layout.picture.maxRow - rows >= rect.minRow else { return }
    canvas.clipped(to: rect) { canvas in
      func onCanvas(_ part: CellRect) -> CellRect {
        part.offset(columns: -rect.minColumn, rows: -rect.minRow - rows)
      }
      drawPicture(on: &canvas, in: onCanvas(layout.picture))
      dots(in: onCanvas(layout.dots)).draw(on: &canvas, context)
    }
  }

  private func drawPicture(on canvas: inout Canvas, in place: CellRect) {
    let box = pictureBox(model.shownPicture, in: place)
    if model.shownPicture == nil, hasPictures || !model.isComplete {
      // The index of the shown picture is known, but not yet the picture.
      canvas.fill(place, style: context.theme.tile)
    } else if place.maxRow > 0 {
      box.draw(on: &canvas, from: frame.gallery, context)
    }
  }
}

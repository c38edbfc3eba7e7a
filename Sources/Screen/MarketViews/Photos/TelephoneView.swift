internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension TelephoneModel: ViewedLayer {
  package func view(in frame: Frame) -> TelephoneView { TelephoneView(model: self, frame: frame) }
}

/// Page for photos from a telephone: its code and address, and the photos of the form.
package struct TelephoneView: LayerView {
  package let model: TelephoneModel
  package let frame: Frame

  package static var screenName: Phrase? { .keyTelephone }
  package static var takesOwnKeys: Bool { false }
  package static let bindings = BindingTable<TelephoneView>(
    [
      Binding("admit-telephone", ["y"], .telephoneAdmit, footer: 5, when: \.isAsked) {
        $0.model.answer(true)
      },
      Binding("refuse-telephone", ["n"], .telephoneDeny, footer: 6, when: \.isAsked) {
        $0.model.answer(false)
      },
      Binding("open-page", [.enter], .telephoneOpen, footer: 10, when: \.isChoosing) {
        $0.model.choose()
      },
      Binding("finish", [.enter], .telephoneDone, footer: 10) { $0.model.cancel() },
      Binding("cover", ["c"], .telephoneCover, footer: 20, offered: \.mayMoveUp) { view in
        view.model.form.moveSelectedPhoto(by: -view.photos.selected)
      }.needing(.paletteIsAtEnd),
      Binding(
        "move-photo-up", ["K", KeyPress(.up, .shift)], .keyMovePhotoUp, footer: 30,
        offered: \.mayMoveUp
      ) {
        $0.model.form.moveSelectedPhoto(by: -1)
      }.needing(.paletteIsAtEnd),
      Binding(
        "move-photo-down", ["J", KeyPress(.down, .shift)], .keyMovePhotoDown, footer: 31,
        offered: \.mayMoveDown
      ) {
        $0.model.form.moveSelectedPhoto(by: 1)
      }.needing(.paletteIsAtEnd),
      Binding(
        "remove-photo", [.delete], .keyRemovePhoto, footer: 40, isDestructive: true,
        offered: \.hasSelected
      ) { $0.model.form.removeSelectedPhoto() }.needing(.paletteListEmpty),
    ] + SharedBindings.choosing(up: [.up, "k"], down: [.down, "j"]) { $0.model.move(by: $1) }
      + [
        Binding("stop-page", [.escape, .control("c")], .telephoneStop, footer: 50) {
          $0.model.cancel()
        },
        SharedBindings.helpOverText(),
      ])

  private var strings: Strings { context.strings }
  private var photos: PhotoList { model.form.form.photos }
  private var isAsked: Bool { !model.asking.isEmpty }
  private var isChoosing: Bool { if case .choosing = model.phase { true } else { false } }
  private var isOpen: Bool { if case .open = model.phase { true } else { false } }
  private var mayMoveUp: Bool { !isChoosing && photos.mayMoveSelected(by: -1) }
  private var mayMoveDown: Bool { !isChoosing && photos.mayMoveSelected(by: 1) }
  private var hasSelected: Bool { !isChoosing && photos.selectedPhoto != nil }

  package var coversBody: Bool { true }
  package var needsTypedKeys: Bool { isAsked }

  package var title: WindowTitle? {
    let form = strings[model.form.form.purpose.isEdit ? .titleEdit : .titleRegistration]
    return WindowTitle(form + " › " + strings[.telephoneTitle])
  }

  package var statusMessage: StatusMessage? {
    isAsked ? StatusMessage(text: strings[.telephoneAsked]) : nil
  }

  // MARK: Drawing

  package func draw(on canvas: inout Canvas) {
    let bounds = frame.body.inset(left: ScreenLayout.margin, top: 1, right: ScreenLayout.margin)
    guard case .open(let page) = model.phase else {
      return draw(lines, in: bounds, on: &canvas)
    }
    // The code may use the row above, where there is no other for it.
    let block = CodeBlock(page.address, in: frame.body.inset(left: ScreenLayout.margin), context)
    block.draw(on: &canvas)
    draw(
      self.lines(of: page, block, columns: block.text.columns),
      in: block.text.inset(top: block.hasCode ? 1 : 0, right: ScreenLayout.margin), on: &canvas)
  }

  private struct Line {
    let text: SafeText
    let style: Style
    /// Whether the line is the selected one.
    var isSelected = false
  }

  private func draw(_ lines: [Line], in bounds: CellRect, on canvas: inout Canvas) {
    for (row, line) in lines.prefix(bounds.rows).enumerated() {
      let rect = bounds.row(row)
      let style = line.isSelected ? context.theme.selected(line.style) : line.style
      canvas.write(line.text.truncated(toColumns: rect.columns), at: rect.origin, style: style)
      if line.isSelected { canvas.setCursor(at: rect.origin, isVisible: false) }
    }
  }

  private func wrapped(_ text: SafeText, _ style: Style, columns: Int) -> [Line] {
    text.wrapped(toColumns: max(1, columns)).map { Line(text: $0, style: style) }
  }

  private static let blank = Line(text: .empty, style: .plain)

  private func lines(of page: TelephoneModel.Page, _ block: CodeBlock, columns: Int) -> [Line] {
    let theme = context.theme
    let columns = columns - ScreenLayout.margin
    let head = strings[block.hasCode ? .telephoneScan : .telephoneType]
    var lines = wrapped(head, theme.strong, columns: columns) + [Self.blank]
    lines += wrapped(SafeText(page.address), theme.accent, columns: columns)
    // A server's page is open as long as the layer asks for photos.
    if page.port != nil {
      let minutes = strings.counted(.telephoneMinutes, page.minutesLeft)
      lines += wrapped(minutes, theme.secondary, columns: columns)
    }
    if page.mayBeBlocked, let port = page.port {
      let text = strings(.telephoneFirewall, SafeText(Int(port)))
      lines += wrapped(text, theme.warning, columns: columns)
    }
    lines += [Self.blank] + photoLines(columns: columns) + [Self.blank]
    if page.port != nil {
      lines += wrapped(strings[.telephonePlain], theme.secondary, columns: columns)
    }
    return lines
  }

  /// Photos of the form with their sizes, then those that are being received.
  private func photoLines(columns: Int) -> [Line] {
    let theme = context.theme
    let photos = photos
    var lines = photos.photos.enumerated().map { index, photo in
      let name = photo.name.isEmpty ? strings[.formPhotoKept] : SafeText(photo.name)
      return Line(
        text: numbered(index + 1, name, state(of: photo), columns), style: theme.text,
        isSelected: index == photos.selected)
    }
    for (index, upload) in model.uploads.enumerated() {
      let name = upload.name.isEmpty ? "…" : SafeText(upload.name)
      let state = SafeText(upload.percent) + " %"
      lines.append(
        Line(
          text: numbered(photos.photos.count + index + 1, name, state, columns),
          style: theme.secondary))
    }
    return lines
  }

  private func numbered(
    _ number: Int, _ name: SafeText, _ state: SafeText, _ columns: Int
  ) -> SafeText {
    let lead = SafeText(number) + "  "
    let room = max(1, columns - lead.columns - state.columns - 2)
    let name = name.truncated(toColumns: room)
    let space = SafeText(String(repeating: " ", count: max(0, room - name.columns) + 2))
    return lead + name + space + state
  }

  private func state(of photo: FormPhoto) -> SafeText {
    switch photo.content {
    case .kept: "✓"
    case .reading, .encoding: "…"
    case .ready(let photo): BytesText.text(photo.bytes.count) + " ✓"
    }
  }

  /// Lines while no page is open.
  private var lines: [Line] {
    let theme = context.theme
    let columns = frame.body.columns - 2 * ScreenLayout.margin
    switch model.phase {
    case .preparing, .open: return [Line(text: "…", style: theme.secondary)]
    case .impossible(let obstacle):
      return wrapped(text(of: obstacle), theme.text, columns: columns)
    case .closed(let ending): return wrapped(text(of: ending), theme.text, columns: columns)
    case .choosing(let routes, let selected):
      let head = routes.caution.map(phrase) ?? .telephoneChoose
      let choices = routes.routes.enumerated().map { index, route in
        Line(text: text(of: route), style: theme.text, isSelected: index == selected)
      }
      return wrapped(strings[head], theme.text, columns: columns) + [Self.blank] + choices
    }
  }

  private func phrase(_ caution: PhotoRoutes.Caution) -> Phrase {
    switch caution {
    case .ssh: .telephoneOverSSH
    case .wsl: .telephoneInWSL
    case .container: .telephoneInContainer
    }
  }

  private func text(of ending: TelephoneModel.Ending) -> SafeText {
    switch ending {
    case .over: strings[.telephoneClosed]
    case .failed(let reason): strings(.telephoneFailed, SafeText(reason))
    case .refused(let error):
      strings(
        error.isTransient ? .telephoneFailed : .telephoneRefused, ErrorText.text(error, strings))
    }
  }

  private func text(of obstacle: PhotoRoutes.Obstacle) -> SafeText {
    switch obstacle {
    case .noProgram: strings[.telephoneNoProgram]
    case .noNetwork: strings[.telephoneNoNetwork]
    case .command(let command): strings(.telephoneCommand, command)
    }
  }

  private func text(of route: PhotoRoutes.Route) -> SafeText {
    switch route {
    case .server: strings[.telephoneByServer]
    case .local(let address): SafeText(address.host) + "  " + SafeText(address.interface)
    }
  }
}

internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension FormModel: ViewedLayer {
  package func view(in frame: Frame) -> FormLayerView { FormLayerView(model: self, frame: frame) }
}

/// View of the form over the whole window, with its keys and mouse input.
package struct FormLayerView: LayerView {
  package let model: FormModel
  package let frame: Frame

  package static var screenName: Phrase? { .screenForm }
  package static let bindings = BindingTable<FormLayerView>(
    photos + contents + form)
  package static var paletteDirections: Phrase? { .paletteInForm }
  package static var opens: [any LayerView.Type] {
    [
      PhotoPathView.self, TelephoneView.self, ChoiceView.self, PromptView.self, PasswordView.self,
      ConfirmationView.self, ConflictView.self,
    ]
  }
  package static var takesOwnKeys: Bool { false }

  private static let photos: [Binding<FormLayerView>] = [
    Binding(
      "add-photo", [.enter, "a"], .keyAddPhoto, footer: 10, when: \.isOnPhotos,
      offered: \.model.mayAddPhotos
    ) { $0.model.openPhotoPath() },
    Binding(
      "telephone", ["p"], .keyTelephone, footer: 15, when: \.hasTelephone,
      offered: \.model.mayAddPhotos
    ) { $0.model.openTelephone() },
    Binding(
      "previous-picture", [.left, "h"], .keyPreviousPicture, when: \.isOnPhotos,
      offered: \.hasPhotos
    ) { $0.model.editPhotos { $0.select($0.selected - 1) } },
    Binding(
      "next-picture", [.right, "l"], .keyNextPicture, when: \.isOnPhotos, offered: \.hasPhotos
    ) { $0.model.editPhotos { $0.select($0.selected + 1) } },
    Binding(
      "move-photo-left", ["<", KeyPress(.left, .shift)], .keyMovePhotoLeft, footer: 20,
      when: \.isOnPhotos, offered: \.mayMovePhotoLeft
    ) { $0.model.editPhotos { $0.moveSelected(by: -1) } },
    Binding(
      "move-photo-right", [">", KeyPress(.right, .shift)], .keyMovePhotoRight, footer: 30,
      when: \.isOnPhotos, offered: \.mayMovePhotoRight
    ) { $0.model.editPhotos { $0.moveSelected(by: 1) } },
    Binding(
      "make-cover", ["c"], .keyMakeCover, footer: 35, when: \.isOnPhotos,
      offered: \.mayMovePhotoLeft
    ) { $0.model.editPhotos { $0.makeSelectedCover() } },
    Binding(
      "remove-photo", [.delete, .backspace], .keyRemovePhoto, footer: 40, isDestructive: true,
      when: \.isOnPhotos, offered: \.mayRemovePhoto
    ) { $0.model.askToRemovePhoto() },
  ]

  private static let contents: [Binding<FormLayerView>] = [
    Binding(
      "open-currency", [.enter, " "], .keyOpenCurrency, footer: 10, when: \.isOnChoice
    ) { $0.model.openChoices() },
    Binding(
      "show-password", [.function(9)], .keyHidePassword, footer: 20, when: \.isPasswordShown
    ) { $0.model.togglePassword() },
    Binding("show-password", [.function(9)], .keyShowPassword, footer: 20, when: \.isInSecret) {
      $0.model.togglePassword()
    },
    Binding("complete", [.right], .keyComplete, footer: 10, when: \.hasCompletion) { view in
      guard let completion = view.completion else { return }
      view.model.edit { $0.complete(as: completion) }
    },
    Binding(
      "open-editor", [.control("e")], .keyOpenEditor, footer: 70,
      when: \.isInText
    ) { $0.model.openEditor() },
  ]

  private static let form: [Binding<FormLayerView>] = [
    Binding("submit", [.control("s")], .answerSend, footer: 5, when: \.isEdit) {
      $0.model.submit()
    },
    Binding("submit", [.control("s")], .keySend, footer: 5, when: \.isAsked) {
      $0.model.submit()
    },
    Binding("submit", [.control("s")], .keySubmit, footer: 5) { $0.model.submit() },
    Binding(
      "next-field", [.tab, .down, .enter], .keyNextField, footer: 60, when: \.isInLine
    ) { $0.focusNext() },
    Binding("next-field", [.tab], .keyNextField, footer: 60, when: \.isInText) {
      $0.focusNext()
    },
    Binding("next-field", [.tab, .down], .keyNextField, footer: 60) { $0.focusNext() },
    Binding("previous-field", [.backTab], .keyPreviousField, when: \.isInText) {
      $0.focusPrevious()
    },
    Binding("previous-field", [.backTab, .up], .keyPreviousField) { $0.focusPrevious() },
    Binding("leave-form", [.escape, .control("c")], .keyLeaveForm, footer: 95) {
      $0.model.leave()
    },
    Binding("save-template", [.function(7)], .keySaveTemplate, when: \.isNew) {
      $0.model.keepAsTemplate()
    },
    Binding("compare", [.function(5)], .keyCompare, footer: 6, when: \.isChangedMeanwhile) {
      $0.model.compare()
    },
    SharedBindings.helpOverText(),
  ]

  /// Kind of key handling in the focused field.
  private enum Keys {
    case photos, choice, text
    /// Single line of text or password.
    case line
  }

  private var keys: Keys {
    switch model.form[model.form.focus] {
    case .photos: .photos
    case .choice: .choice
    case .area: .text
    case .line, .number, .secret: .line
    }
  }

  private var photos: PhotoList { model.form.photos }
  private var mayMovePhotoLeft: Bool { photos.mayMoveSelected(by: -1) }
  private var mayMovePhotoRight: Bool { photos.mayMoveSelected(by: 1) }
  private var hasPhotos: Bool { !photos.photos.isEmpty }
  private var mayRemovePhoto: Bool { model.changesPhotos && photos.selectedPhoto != nil }
  private var isOnPhotos: Bool { keys == .photos }
  private var hasTelephone: Bool { isOnPhotos && model.hasReceiver }
  private var isOnChoice: Bool { keys == .choice }
  private var isInText: Bool { keys == .text }
  private var isInLine: Bool { keys == .line }
  private var hasCompletion: Bool { completion != nil }
  /// Completion of the place being typed; nil where no loaded product has a matching one.
  private var completion: String? {
    guard model.form.focus == .place, !isAsked, case .line(let editor) = model.form[.place] else {
      return nil
    }
    return navigator.searching.place(begunBy: editor)
  }
  private var isInSecret: Bool { model.form.focus == .password }
  private var isPasswordShown: Bool { isInSecret && model.form.entry.isShown }
  private var isEdit: Bool { model.form.purpose.isEdit }
  private var isNew: Bool { model.form.purpose == .registration }
  private var isAsked: Bool { model.form.purpose.asked != nil }

  private var isChangedMeanwhile: Bool {
    if case .changed = model.meanwhile { true } else { false }
  }

  private func focusNext() { model.edit { $0.focusNext() } }
  private func focusPrevious() { model.edit { $0.focusPrevious() } }

  // MARK: Drawing

  package var coversBody: Bool { !isAsked }

  private var layout: FormLayout { FormLayout(frame.body, form: model.form, context) }

  /// Title of a new product with its seller, or the product's name; nil for questions and answers.
  package var title: WindowTitle? {
    let strings = context.strings
    let note = model.savedAt.map { strings(.formSaved, DateText.time($0)) } ?? .empty
    switch model.form.purpose {
    case .registration:
      let seller = navigator.selling?.account.seller.map { " · " + SafeText($0.name) }
      return WindowTitle(strings[.titleRegistration] + (seller ?? .empty), note: note)
    case .edit(let detail):
      let name = SafeText(detail.product.name)
      return WindowTitle(strings[.titleEdit] + " · " + name, note: note)
    case .question, .answer: return nil
    }
  }

  package var statusMessage: StatusMessage? {
    switch model.meanwhile {
    case nil: nil
    case .changed: StatusMessage(text: context.strings[.formChanged], command: "compare")
    case .deleted: StatusMessage(text: context.strings[.formDeleted], command: "leave-form")
    }
  }

  package func draw(on canvas: inout Canvas) {
    QuestionBox(model.form, in: frame.body, context)?.draw(on: &canvas)
    var view = FormView(
      model.form, bounds: frame.body, hasKeys: navigator.stack.top === model, context: context)
    view.completion = completion
    view.draw(on: &canvas, gallery: frame.gallery)
  }

  package var wants: [PictureWant] {
    PhotoStrip(form: model.form, layout: layout, context: context, hasKeys: false)
      .wants(context.pictures)
      + FormPreview(form: model.form, layout: layout, context: context).wants
  }

  // MARK: Text

  package var isText: Bool { isInLine || isInText }

  package var editingRows: [EditingRow] {
    switch model.form[model.form.focus] {
    case .photos: model.typesPaths ? [EditingRow(keys: Self.pathKeys, words: .editPath)] : []
    case .choice: []
    case .area: DescriptionKeys.rows + LineKeys.rows
    case .line, .number: LineKeys.rows
    case .secret: SecretKeys.rows
    }
  }

  /// Keys that begin a path on the photos.
  private static let pathKeys: [KeyPress] = ["/", "~", "."]

  package func edit(_ key: KeyPress) -> Bool {
    if isOnPhotos, model.typesPaths, Self.pathKeys.contains(key), let start = key.text {
      model.openPhotoPath(beginning: String(start))
      return true
    }
    if isInText { return DescriptionKeys(columns: textColumns).edit(key, model) }
    guard isInLine else { return false }
    if case .secret = model.form[model.form.focus] {
      guard let change = SecretKeys.change(for: key) else { return false }
      model.edit { $0.editPassword(change) }
    } else {
      guard let change = LineKeys.change(for: key) else { return false }
      model.edit { $0.edit(change) }
    }
    return true
  }

  /// Adds photos by their paths while the photos have the focus; otherwise inserts text into the field.
  package func paste(_ text: String) -> Bool {
    switch keys {
    case .photos: model.addPhotos(named: text)
    case .line, .text: model.paste(text)
    case .choice: return false
    }
    return true
  }

  private var textColumns: Int { layout.descriptionText.columns }

  // MARK: Mouse

  private static let rowsPerNotch = 3

  package func scroll(by notches: Int) -> Bool {
    guard isInText else { return false }
    let columns = textColumns
    model.edit { form in
      form.editDescription { $0.move(.rows(notches * Self.rowsPerNotch), columns: columns) }
    }
    return true
  }

  /// Moves the focus to the clicked field, and the caret to the clicked position.
  package func press(at point: CellPoint) -> Bool {
    let layout = layout
    guard let field = layout.field(at: point, focus: model.form.focus) else { return false }
    let strip = layout.strip(of: field, focus: model.form.focus) ?? .zero
    let wasFocused = field == model.form.focus
    model.edit { form in
      form.focus(field)
      form.placeCaret(
        column: point.column - strip.minColumn - 1, row: point.row - strip.minRow, in: strip,
        wasFocused: wasFocused)
    }
    switch keys {
    case .photos: pressPhotos(at: point, layout)
    case .choice: model.openChoices()
    case .line, .text: break
    }
    return true
  }

  /// Selects a photo; after the last one, opens the path line for another.
  private func pressPhotos(at point: CellPoint, _ layout: FormLayout) {
    guard layout.photos.contains(point) else { return }
    let strip = PhotoStrip(form: model.form, layout: layout, context: context, hasKeys: true)
    let count = photos.photos.count
    let index = strip.tiles.firstIndex { $0.contains(point) } ?? count
    model.editPhotos { $0.select(index) }
    if index == count { model.openPhotoPath() }
  }
}

extension ProductForm {
  /// Moves the caret of the focused field to a cell of its text as displayed before.
  fileprivate mutating func placeCaret(
    column: Int, row: Int, in strip: CellRect, wasFocused: Bool
  ) {
    let column = max(0, column)
    let columns = strip.columns - 2
    switch self[focus] {
    case .line(let editor): position(editor.position(at: column, columns: columns))
    case .number(let editor):
      let isTyped = wasFocused || values.isPercent(focus)
      let shown = isTyped ? nil : FieldText.amount(of: focus, in: values)
      position(
        shown.map { Self.position(in: editor.text, behind: $0.string.prefix(column)) }
          ?? editor.position(at: column, columns: columns))
    case .area(let editor):
      let layout = editor.layout(columns: strip.columns - 1)
      let first = FormArea.window(of: layout, height: strip.rows, isFocused: wasFocused).lowerBound
      position(layout.position(row: first + row, column: column))
    case .secret: focusPassword(repeating: row > 0)
    case .photos, .choice: break
    }
  }

  /// Returns the position in the typed amount after as many digits as there are in `shown`.
  private static func position(in typed: String, behind shown: Substring) -> Int {
    var digits = shown.count(where: \.isNumber)
    return typed.prefix { character in
      defer { if character.isNumber { digits -= 1 } }
      return digits > 0
    }.count
  }

  private mutating func position(_ place: Int) {
    edit(TextChange { $0.buffer.move(to: place) })
  }
}

/// Keys of the text area: those of a line, and those that depend on its rows.
struct DescriptionKeys {
  /// Columns of the area.
  let columns: Int

  /// Rows per page key.
  private static let page = 8

  /// Edits the area by a key; returns false where the key has no effect there.
  func edit(_ key: KeyPress, _ model: FormModel) -> Bool {
    if key == .enter {
      model.edit { form in form.editDescription { $0.type("\n") } }
      return true
    }
    if let motion = rowMotion(for: key) {
      move(motion, selecting: key.modifiers.contains(.shift), model)
      return true
    }
    guard let change = textChange(for: key) ?? LineKeys.change(for: key) else { return false }
    model.edit { $0.edit(change) }
    return true
  }

  /// Moves the caret; up from the first row and down from the last one move the focus to the
  /// neighbouring field.
  private func move(
    _ motion: TextEditor.RowMotion, selecting: Bool, _ model: FormModel
  ) {
    let layout = model.form.description.layout(columns: columns)
    if !selecting, motion == .up, layout.caretRow == 0 {
      return model.edit { $0.focusPrevious() }
    }
    if !selecting, motion == .down, layout.caretRow == layout.rows.count - 1 {
      return model.edit { $0.focusNext() }
    }
    model.edit { form in
      form.editDescription { $0.move(motion, columns: columns, selecting: selecting) }
    }
  }

  private static let rowMotions = EditingTable<TextEditor.RowMotion>([
    ([.up], .keyUp, .up), ([.down], .keyDown, .down),
    ([.home], .editLineStart, .rowStart), ([.end], .editLineEnd, .rowEnd),
    ([.pageUp], .keyPageUp, .rows(-page)), ([.pageDown], .keyPageDown, .rows(page)),
  ])
  private static let ends = EditingTable<Motion>([
    ([KeyPress(.home, .control)], .editTextStart, .textStart),
    ([KeyPress(.end, .control)], .editTextEnd, .textEnd),
  ])

  /// Rows for the help, in addition to those of a line.
  static var rows: [EditingRow] { ends.rows + rowMotions.rows }

  /// Returns the motion of a key; with Shift it extends the selection.
  private func rowMotion(for key: KeyPress) -> TextEditor.RowMotion? {
    Self.rowMotions.effect(of: KeyPress(key.key, key.modifiers.subtracting(.shift)))
  }

  private func textChange(for key: KeyPress) -> TextChange? {
    Self.ends.effect(of: key).map { motion in TextChange { $0.move(motion) } }
  }
}

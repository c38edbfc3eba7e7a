internal import MarketModel
internal import MarketViewModels
internal import TerminalKit

/// Part of a frame that is put again as it was drawn, until something changes that it shows.
///
/// What its drawing reads of observed state is noticed by itself. All else that it depends on is its
/// key; what each move of the selection changes belongs there too, or is drawn over it.
final class KeptPart<Key: Equatable> {
  /// Part as it was drawn last.
  private struct Drawn {
    let key: Key
    let subject: AnyObject
    let block: CellBlock
  }

  /// Counts what has changed in what was drawn: a frame observes this in its place.
  @Observed private var changes = 0
  /// Nil where it has to be drawn, or cannot be put again, as with a link.
  private var drawn: Drawn?
  /// What was read for the last drawing.
  private var reading: ObservedReading?

  /// Draws what fills a rectangle, of the models behind `subject`: as it was drawn before, or by
  /// `write`.
  func draw(
    _ key: Key, of subject: AnyObject, in rect: CellRect, on canvas: inout Canvas,
    writing write: (inout Canvas) -> Void
  ) {
    _ = changes
    if let drawn, drawn.subject === subject, drawn.key == key,
      canvas.put(drawn.block, at: rect.origin)
    {
      return
    }
    reading?.end()
    let reading = ObservedReading { [weak self] in self?.didChange() }
    self.reading = reading
    reading.read { write(&canvas) }
    drawn = canvas.block(rect).map { Drawn(key: key, subject: subject, block: $0) }
  }

  func forget() { drawn = nil }

  private func didChange() {
    drawn = nil
    changes += 1
  }
}

/// Parts of the frame before, for frames of the same terminal.
final class KeptParts {
  let topBar = KeptPart<TopBar.Key>()
  let bottomBar = KeptPart<BottomBar.Key>()
  let list = KeptPart<ListView.Key>()
  let detail = KeptPart<DetailView.Key>()
  private var look: RenderContext.Look?
  /// Ages and the time of a last visit are counted from it, right to the minute.
  private var minute: Int64?

  /// Forgets what was drawn in another look, or in another minute.
  func begin(_ context: RenderContext) {
    let (look, minute) = (context.look, context.now.seconds / 60)
    guard look != self.look || minute != self.minute else { return }
    (self.look, self.minute) = (look, minute)
    topBar.forget()
    bottomBar.forget()
    list.forget()
    detail.forget()
  }
}

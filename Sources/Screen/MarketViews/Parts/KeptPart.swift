internal import MarketModel
internal import MarketViewModels
internal import TerminalKit

/// Cached part of a frame, redrawn only when something that it shows has changed.
///
/// Changes of observed values that its drawing reads are detected automatically. All other inputs
/// belong in the key, also those that change with each move of the selection, unless they are drawn
/// over it.
final class KeptPart {
  /// Cached drawing.
  private struct Drawn {
    /// A value of the type that the part's drawing gives.
    let key: Any
    let subject: AnyObject
    let block: CellBlock
  }

  /// Number of changes of the cached drawing's inputs; a frame observes this in their place.
  @Observed private var changes = 0
  /// Nil where it must be drawn, or cannot be cached, as with a link.
  private var drawn: Drawn?
  /// Observation of the values read by the last drawing.
  private var reading: ObservedReading?

  /// Draws a part that fills `rect`, for the models behind `subject`: from the cache, or by `write`.
  func draw<Key: Equatable>(
    _ key: Key, of subject: AnyObject, in rect: CellRect, on canvas: inout Canvas,
    writing write: (inout Canvas) -> Void
  ) {
    _ = changes
    if let drawn, drawn.subject === subject, drawn.key as? Key == key,
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

/// Cached parts of the last frame, for frames of one terminal.
final class KeptParts {
  let topBar = KeptPart()
  let bottomBar = KeptPart()
  let list = KeptPart()
  let detail = KeptPart()
  private var style: RenderContext.FrameStyle?
  /// Minute of the last frame; ages are shown by the minute.
  private var minute: Int64?

  /// Discards parts drawn in another style or another minute.
  func begin(_ context: RenderContext) {
    let (style, minute) = (context.frameStyle, context.now.seconds / 60)
    guard style != self.style || minute != self.minute else { return }
    (self.style, self.minute) = (style, minute)
    topBar.forget()
    bottomBar.forget()
    list.forget()
    detail.forget()
  }
}

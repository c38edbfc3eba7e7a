internal import MarketModel
import MarketStrings
import Observation
internal import TerminalKit

/// Part of a frame that is put again as it was drawn, until something changes that it shows.
///
/// What its drawing reads of observed state is noticed by itself. All else that it depends on is its
/// key; a key that moves the selection alone is not to be read while it is drawn.
@Observable
final class KeptPart<Key: Equatable> {
  /// Part as it was drawn last.
  private struct Drawn {
    let key: Key
    let subject: AnyObject
    let block: CellBlock
    let watch: Watch
  }

  /// Watch over what was read for a part; its end stops the observation, which nothing else does.
  @Observable fileprivate final class Watch {
    var isOver = false
  }

  /// Counts what has changed in what was drawn: a frame observes this in its place.
  private var changes = 0
  @ObservationIgnored private var drawn: Drawn?

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
    forget()
    let watch = Watch()
    withObservationTracking {
      _ = watch.isOver
      write(&canvas)
    } onChange: { [weak self] in
      // All that a frame reads lives on the main actor, and so do its changes.
      MainActor.assumeIsolated { self?.didChange(watch) }
    }
    guard let block = canvas.block(rect) else { return watch.isOver = true }
    drawn = Drawn(key: key, subject: subject, block: block, watch: watch)
  }

  func forget() {
    let watch = drawn?.watch
    drawn = nil
    watch?.isOver = true
  }

  private func didChange(_ watch: Watch) {
    guard drawn?.watch === watch else { return }
    drawn = nil
    changes += 1
  }
}

/// Parts of the frame before, for frames of the same terminal.
final class KeptParts {
  /// Looks of a whole frame.
  private struct Look: Equatable {
    let theme: Theme
    let language: Language
    let keys: CustomKeyBindings
    let isPlain: Bool
    let writesKeysInWords: Bool
    /// Ages are counted from it, in hours at least: they are right to the minute.
    let minute: Int64
  }

  let topBar = KeptPart<TopBar.Key>()
  let bottomBar = KeptPart<BottomBar.Key>()
  let list = KeptPart<ListView.Key>()
  private var look: Look?

  /// Forgets what was drawn in another look, or in another minute.
  func begin(_ context: RenderContext) {
    let look = Look(
      theme: context.theme, language: context.strings.language, keys: context.keys,
      isPlain: context.isPlain, writesKeysInWords: context.writesKeysInWords,
      minute: context.now.seconds / 60)
    guard look != self.look else { return }
    self.look = look
    topBar.forget()
    bottomBar.forget()
    list.forget()
  }
}

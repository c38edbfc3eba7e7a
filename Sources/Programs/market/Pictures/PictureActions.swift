import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PictureKit
import SafeTextKit

/// Actions on pictures: saves them in the current folder, and opens them in the desktop's viewer.
///
/// Messages name the picture, since another one may be on the screen by the time a slow disk answers.
final class PictureActions {
  private let source: any PictureSource
  /// Texts of messages.
  var strings: Strings
  private let announce: (Notice) -> Void
  private let files: PictureFiles
  /// Number of pictures being written.
  private(set) var writing = 0
  /// Continuation of `finish(within:on:)`; nil if it does not wait.
  private var waiter: CheckedContinuation<Void, Never>?

  /// Creates the actions; `announce` receives the start and outcome of each.
  init(
    source: any PictureSource, strings: Strings, files: PictureFiles,
    announce: @escaping (Notice) -> Void
  ) {
    self.source = source
    self.strings = strings
    self.files = files
    self.announce = announce
  }

  /// Reads the original and saves or opens it; announces the outcome.
  func run(_ action: PictureAction) {
    announce(.words(strings(action.verb == .save ? .pictureSaving : .pictureOpening, action.name)))
    Task {
      do throws(PictureError) {
        let bytes = try await source.bytes(of: action.picture, .original)
        // A file that is no picture gets no picture's name.
        let name = PictureFileName(action.name.string, format: try PictureHeader(bytes).format)
        writing += 1
        announce(.words(await outcome(of: action, bytes, name)))
        writing -= 1
        if writing == 0 { release() }
      } catch {
        announce(.words(failure(of: action, strings[.noPicture])))
      }
    }
  }

  /// Waits for pictures being written, at most `timeout`, so that a hanging disk cannot prevent
  /// leaving.
  func finish(within timeout: Duration, on clock: any Clock<Duration>) async {
    guard writing > 0 else { return }
    await withCheckedContinuation { waiter in
      self.waiter = waiter
      Task {
        try? await clock.sleep(for: timeout)
        release()
      }
    }
  }

  private func release() {
    waiter?.resume()
    waiter = nil
  }

  private func outcome(
    of action: PictureAction, _ bytes: [UInt8], _ name: PictureFileName
  ) async -> SafeText {
    switch action.verb {
    case .save:
      switch await files.save(bytes, as: name) {
      case .success(let saved): strings(.pictureSaved, SafeText(saved))
      case .failure(let error): failure(of: action, error.text(strings))
      }
    case .open:
      switch await files.open(bytes, as: name) {
      case nil: strings(.pictureOpened, action.name)
      case .some(let error): failure(of: action, error.text(strings))
      }
    }
  }

  private func failure(of action: PictureAction, _ reason: SafeText) -> SafeText {
    let phrase: Phrase = action.verb == .save ? .pictureNotSaved : .pictureNotOpened
    return "✗ " + strings(phrase, action.name, reason)
  }
}

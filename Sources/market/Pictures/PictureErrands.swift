import Glibc
import MarketModel
import MarketViewModels
import MarketViews
import PictureKit
import SafeText

/// Saves pictures in the current folder and opens them in the desktop's viewer.
final class PictureErrands {
  private let source: any PictureSource
  private let strings: Strings
  private let announce: (Notice) -> Void

  init(
    source: any PictureSource, strings: Strings, announce: @escaping (Notice) -> Void
  ) {
    self.source = source
    self.strings = strings
    self.announce = announce
  }

  /// Reads the original and does with it what is wanted; the outcome is announced.
  func run(_ errand: PictureErrand) {
    Task {
      do throws(PictureError) {
        let bytes = try await source.bytes(of: errand.picture, .original)
        announce(.words(try outcome(of: errand, bytes)))
      } catch {
        let phrase: Phrase = errand.verb == .save ? .pictureNotSaved : .pictureNotOpened
        announce(.words("✗ " + strings(phrase, strings[.noPicture])))
      }
    }
  }

  private func outcome(of errand: PictureErrand, _ bytes: [UInt8]) throws(PictureError) -> SafeText
  {
    // What is no picture gets no picture's name.
    let name = PictureFileName(
      errand.name.string, format: try PictureHeader(bytes).format)
    switch errand.verb {
    case .save:
      switch PictureFile.save(bytes, as: name, in: ".") {
      case .success(let saved): return strings(.pictureSaved, SafeText(saved))
      case .failure(let error): return "✗ " + strings(.pictureNotSaved, SafeText(error.words))
      }
    case .open:
      if let error = DesktopViewer().open(bytes, name) {
        return "✗ " + strings(.pictureNotOpened, SafeText(error.words))
      }
      return strings[.pictureOpened]
    }
  }
}

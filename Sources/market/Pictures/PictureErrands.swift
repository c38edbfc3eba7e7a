import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PictureKit
import SafeText

/// Saves pictures in the current folder and opens them in the desktop's viewer.
final class PictureErrands {
  private let source: any PictureSource
  private let strings: Strings
  private let announce: (Notice) -> Void
  private let lent: LentPictures
  private let folder: String

  /// - Parameters:
  ///   - source: where the pictures are.
  ///   - strings: the words of what is announced.
  ///   - lent: where pictures for the viewer go.
  ///   - folder: where pictures are saved.
  ///   - announce: gets the outcome of each errand.
  init(
    source: any PictureSource, strings: Strings, lent: LentPictures, folder: String = ".",
    announce: @escaping (Notice) -> Void
  ) {
    self.source = source
    self.strings = strings
    self.lent = lent
    self.folder = folder
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
      switch PictureFile.save(bytes, as: name, in: folder) {
      case .success(let saved): return strings(.pictureSaved, SafeText(saved))
      case .failure(let error): return "✗ " + strings(.pictureNotSaved, error.text(strings))
      }
    case .open:
      if let error = open(bytes, name) {
        return "✗ " + strings(.pictureNotOpened, error.text(strings))
      }
      return strings[.pictureOpened]
    }
  }

  private func open(_ bytes: [UInt8], _ name: PictureFileName) -> SystemError? {
    switch lent.lend(bytes, name) {
    case .failure(let error): error
    case .success(let path): DesktopViewer.open(path)
    }
  }
}

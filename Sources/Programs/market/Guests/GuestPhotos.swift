import CommandKit
import Glibc
import MarketStrings
import MarketViewModels
import MarketViews
import PictureKit
import Posix
import SafeTextKit

/// Command `photo`: saves a guest's photo from standard input in the inbox.
struct GuestPhotos {
  /// Word of the command.
  static let command = "photo"
  /// Maximum bytes of a photo as a camera writes it; a larger one is refused.
  private static let maxPhotoSize = 24 << 20

  private let options: MarketOptions
  private let strings: Strings

  init(_ options: MarketOptions) {
    self.options = options
    strings = options.strings
  }

  func take() async -> Never {
    guard options.guest != nil else { fail(.photoForGuests) }
    guard let photoInbox = options.guest?.photoInbox else { fail(.guestSavesNothing) }
    guard photoInbox.names().count < GuestPhotoInbox.maxPhotos else { fail(.trayFull) }
    guard isatty(STDIN_FILENO) == 0,
      let bytes = try? FileDescriptorIO.readAll(from: STDIN_FILENO, limit: Self.maxPhotoSize),
      !bytes.isEmpty
    else { fail(.photoMissing) }
    let photo: PreparedPhoto
    do throws(PhotoProblem) {
      photo = try await LocalPhotos(of: options.guest).encode(bytes)
    } catch {
      fail(error == .damaged ? .photoNotRead : NoticeText.phrase(for: error))
    }
    for hint in photo.hints { Console.warn(strings[NoticeText.phrase(for: hint)]) }
    guard let name = photoInbox.add(photo.bytes) else { fail(.trayFull) }
    Console.say(strings(.photoInTray, SafeText(name), SafeText(photoInbox.names().count)))
    exit(0)
  }

  private func fail(_ phrase: Phrase) -> Never {
    Console.fail(strings[phrase], status: ExitStatus.failure)
  }
}

extension MarketOptions {
  /// Options with the inbox's photos for a new product, unless the guest names others.
  var withWaitingPhotos: MarketOptions {
    guard let photoInbox = guest?.photoInbox, selling.fromPath == nil,
      selling.entries.photos.isEmpty
    else {
      return self
    }
    var options = self
    options.selling.entries.photos = photoInbox.names()
    return options
  }
}

/// Photo as a telephone sent it.
package struct UploadedPhoto: Hashable, Sendable {
  /// Name of its file, from the telephone; may be empty.
  package let name: String
  package let bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Event of a page to which a telephone sends photos.
package enum ReceiverEvent: Hashable, Sendable {
  /// The page is open at an address that contains its token; the port is that of this machine, nil on a
  /// server.
  case opened(address: String, port: UInt16?)
  /// It cannot be opened, or was closed, for a reason in the system's words.
  case failed(String)
  /// The market's server does not open it, or no longer answers.
  case refused(RepositoryError)
  /// A first telephone has opened the page.
  case visited
  /// A further telephone asks whether it may send photos.
  case asked(device: Int)
  /// Percentage of a request so far; the name is that of a photo sent alone, else empty.
  case progress(upload: Int, name: String, percent: Int)
  /// A request ended; its photos have been reported.
  case ended(upload: Int)
  case photo(Int, UploadedPhoto)
}

/// Command to a page for photos.
package enum ReceiverCommand: Hashable, Sendable {
  /// The form has a photo, or refused it.
  case took(photo: Int, Bool)
  /// A further telephone may send photos, or may not.
  case admit(device: Int, Bool)
}

/// Limits of photos from a telephone, for one form.
package enum UploadLimits {
  /// Maximum bytes of a photo; a larger one is refused with 413.
  package static let photoBytes = 20 << 20
  /// Maximum bytes of all photos of a form; more are refused with 413.
  package static let bytes = 100 << 20
  /// Maximum number of photos of a form; more are refused with 413.
  package static let photos = 10
  /// Maximum bytes of a request: all photos and what the form adds.
  package static let requestBytes = bytes + (64 << 10)
  /// Minutes for which a page is open.
  package static let minutes = 10
}

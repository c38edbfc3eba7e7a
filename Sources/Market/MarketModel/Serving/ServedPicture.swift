/// What a server gives whoever asks for the file of a picture.
package enum ServedPicture: Hashable, Sendable {
  case file([UInt8])
  /// Where the storage that has the file hands it out itself.
  case elsewhere(SignedAddress)
}

/// Address at which a storage hands a file out for a while to whoever knows the address.
package struct SignedAddress: Hashable, Sendable {
  /// Method that an address is signed for; by any other one the storage refuses.
  package enum Method: String, Hashable, Sendable {
    case get = "GET"
    case head = "HEAD"
  }

  package let address: WebAddress
  /// Seconds for which somebody may remember the address: fewer than it is good for.
  package let freshSeconds: Int

  package init(_ address: WebAddress, freshSeconds: Int) {
    self.address = address
    self.freshSeconds = freshSeconds
  }
}

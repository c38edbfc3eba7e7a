import Glibc
import MarketModel
import MarketStrings
import Posix
import SafeTextKit

/// Error sentences of commands: the market they concern, the reason, and what to do.
extension MarketOptions {
  /// Returns the sentence about an error; `servers` are the addresses by their names in the settings.
  ///
  /// A guest's sentence does not contain the market's location.
  func sentence(on error: RepositoryError, servers: [String: String] = [:]) -> SafeText {
    let strings = strings
    let sentence = ErrorText.text(error, strings)
    guard guest == nil else { return sentence }
    let address = server.map { servers[$0] ?? $0 }
    switch error {
    case .store(let failure):
      guard let path = address.flatMap(MarketPath.path) ?? storePath else { return sentence }
      if case .cannotOpen = failure, access(path, F_OK) != 0, errno == ENOENT {
        return strings(.marketFileMissing, SafeText(path))
      }
      return strings(.movingFile, SafeText(path), sentence)
    case .unreachable(.nameNotFound):
      guard let server, let address else { return sentence }
      guard servers[server] == nil, Self.isMarketName(server), !server.contains(".") else {
        return strings(.movingFile, SafeText(address), sentence)
      }
      guard !servers.isEmpty else { return strings(.errorServerUnsaved, SafeText(server)) }
      let known = servers.keys.sorted().joined(separator: ", ")
      return strings(.errorServerUnknown, SafeText(server), SafeText(known))
    case .unreachable, .badAnswer:
      return address.map { strings(.movingFile, SafeText($0), sentence) } ?? sentence
    case .notFound, .wrongPassword, .notOwner, .blocked, .keyReused, .tooManyAttempts,
      .tooManyRequests, .marketFull, .conflict, .invalid, .questionRefused, .unknownCursor,
      .unsupported, .cancelled:
      return sentence
    }
  }
}

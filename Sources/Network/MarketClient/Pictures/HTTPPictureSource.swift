import Glibc
import MarketAPI
import MarketModel

/// Pictures at the addresses that a market server names, with a cache.
package struct HTTPPictureSource: PictureSource {
  /// Seconds for which a cached picture is used without a request.
  ///
  /// Servers of others may change the picture behind an address, if rarely.
  static let freshSeconds: Int64 = 86_400

  private let connection: ServerConnection
  private let cache: ResponseCache?
  private let now: @Sendable () -> Int64

  /// Creates a source over the server's connection; nil `cache` caches nothing; `now` is in seconds
  /// since 1970.
  package init(
    over connection: ServerConnection, cache: ResponseCache? = nil,
    now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
  ) {
    self.connection = connection
    self.cache = cache
    self.now = now
  }

  package func bytes(
    of picture: Picture, _ rendition: PictureRendition
  ) async throws(PictureError) -> [UInt8] {
    try await bytes(of: picture, rendition, atMost: TransferLimits.picture.bodyBytes)
  }

  /// Returns a picture from the cache if it is fresh or the server is unreachable, else from the server.
  /// - Throws: `.tooLarge` beyond `limit`, `.missing` for an invalid address, else what `fetch` throws.
  package func bytes(
    of picture: Picture, _ rendition: PictureRendition, atMost limit: Int
  ) async throws(PictureError) -> [UInt8] {
    guard let address = WebAddress(picture.locator(of: rendition)) else { throw .missing }
    let key = CacheKey.picture(address.text)
    let seen = await cache?.entry(of: connection.base, key)
    if let seen, seen.response.body.count > limit { throw .tooLarge }
    if let seen,
      (0..<Self.freshSeconds).contains(now() - seen.seconds)
        || connection.isNamed(seen.response.body, by: address)
    {
      return seen.response.body
    }
    do throws(PictureError) {
      let response = try await fetch(address, atMost: limit, knowing: seen?.response)
      await cache?.store(response, of: connection.base, key)
      return response.body
    } catch {
      guard error == .unreachable, let seen else { throw error }
      return seen.response.body
    }
  }

  /// Fetches the picture; returns `known` if the server answers 304.
  /// - Throws: `.unreachable` for statuses from 500, `.missing` for other failures, `.undecodable` for
  ///   an unknown format, else the mapped transport error.
  private func fetch(
    _ address: WebAddress, atMost limit: Int, knowing known: HTTPResponse?
  ) async throws(PictureError) -> HTTPResponse {
    var limits = TransferLimits.picture
    limits.bodyBytes = min(limit, limits.bodyBytes)
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await connection.picture(
        at: address, unless: known?.headers[HeaderName.entityTag], limits: limits)
    } catch {
      throw PictureError(error)
    }
    if response.status == .notModified, let known { return known }
    guard response.status.isSuccess else {
      throw response.status.rawValue >= 500 ? .unreachable : .missing
    }
    guard PictureFormat(sniffing: response.body) != nil else { throw .undecodable }
    return response
  }
}

extension HTTPPictureSource {
  /// Returns the whole file of a picture, to be uploaded again with an edit.
  /// - Throws: `.cancelled`, `.unreachable`, or `.invalid` naming `.pictures` if the file cannot be
  ///   read.
  func file(of picture: Picture) async throws(RepositoryError) -> [UInt8] {
    do throws(PictureError) {
      return try await bytes(of: picture, .original)
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .unreachable: throw .unreachable(.disconnected)
      case .missing, .undecodable, .tooLarge:
        throw .invalid([FieldError(.pictures, .unreadable)])
      }
    }
  }
}

extension PictureError {
  /// Maps errors of the transport; the only place that does for pictures.
  init(_ error: TransportError) {
    self =
      switch error {
      case .libraryMissing, .exhausted, .nameNotFound, .refused, .timedOut, .disconnected:
        .unreachable
      case .insecure, .redirectUnencrypted, .tooManyRedirects, .redirectRefused, .fenced: .missing
      case .tooLarge: .tooLarge
      case .malformed: .undecodable
      case .cancelled: .cancelled
      }
  }
}

import MarketAPI
import MarketModel

/// Picture storage in a bucket with the API of Amazon S3.
///
/// libcurl signs each request (AWS Signature Version 4) with the SHA-256 of the body. Buckets are
/// addressed by path, which every such storage supports.
package struct BucketStorage: PictureStorage {
  /// Function that returns the SHA-256 of a body as hexadecimal digits.
  package typealias Digest = @Sendable ([UInt8]) -> String

  private let address: BucketAddress
  private let keys: BucketKeys
  private let transport: any HTTPTransport
  private let digest: Digest
  private let timeout: Duration

  /// Creates a storage; `timeout` is the maximum time of each call, after which it throws `.timedOut`.
  package init(
    at address: BucketAddress, with keys: BucketKeys, over transport: any HTTPTransport,
    timeout: Duration = .seconds(4), digest: @escaping Digest
  ) {
    self.address = address
    self.keys = keys
    self.transport = transport
    self.digest = digest
    self.timeout = timeout
  }

  /// Creates a storage with a transport of its own.
  package static func connected(
    to address: BucketAddress, with keys: BucketKeys, digest: @escaping Digest
  ) -> any PictureStorage {
    BucketStorage(at: address, with: keys, over: CurlTransport(), digest: digest)
  }

  /// - Throws: `.full`, `.timedOut`, `.busy` without free descriptors, `.cancelled`, `.unavailable` for any
  ///   other failure.
  package func put(_ bytes: [UInt8], at name: String) async throws(PictureStorageError) {
    let answer = try await ask(HTTPMethod(rawValue: "PUT"), name, sending: bytes)
    guard answer.status.isSuccess else { throw Self.failure(of: answer) }
  }

  /// Writes only if absent, by `If-None-Match: *` (RFC 9110, section 13.1.2); a storage that ignores
  /// the header replaces the object, and one that answers 501 is asked again without it.
  /// - Throws: what `put(_:at:)` throws.
  package func putFirst(
    _ bytes: [UInt8], at name: String
  ) async throws(PictureStorageError) -> Bool {
    let answer = try await ask(
      HTTPMethod(rawValue: "PUT"), name, sending: bytes, [HeaderName.ifNoneMatch: "*"])
    switch answer.status.rawValue {
    // Another write is under way (409), or the object exists (412).
    case 409, 412: return false
    case 501:
      try await put(bytes, at: name)
      return true
    default:
      guard answer.status.isSuccess else { throw Self.failure(of: answer) }
      return true
    }
  }

  /// Does nothing: only a write shows whether the bucket is writable.
  package func checkWriting() async throws(PictureStorageError) {}

  /// - Throws: `.tooLarge` beyond `limit`, else what `put(_:at:)` throws.
  package func bytes(
    at name: String, atMost limit: Int
  ) async throws(PictureStorageError) -> [UInt8]? {
    let answer = try await ask(.get, name, receiving: limit)
    if answer.isMissingObject { return nil }
    guard answer.status.isSuccess else { throw Self.failure(of: answer) }
    return answer.body
  }

  /// - Throws: what `put(_:at:)` throws; a missing object is no error.
  package func delete(_ name: String) async throws(PictureStorageError) {
    let answer = try await ask(.delete, name)
    guard answer.status.isSuccess || answer.isMissingObject else { throw Self.failure(of: answer) }
  }

  private func ask(
    _ method: HTTPMethod, _ name: String, sending body: [UInt8] = [],
    _ conditions: HTTPHeaders = [:], receiving limit: Int = Self.complaintBytes
  ) async throws(PictureStorageError) -> HTTPResponse {
    // libcurl sends this header by itself since 7.89 at the earliest, and signs with this value.
    var headers = conditions
    headers["x-amz-content-sha256"] = digest(body)
    if !body.isEmpty {
      // Type by which a browser shows the picture when redirected to the storage.
      headers[HeaderName.contentType] =
        PictureFormat(sniffing: body)?.mediaType ?? "application/octet-stream"
    }
    let timeout = RequestDeadline.remaining(atMost: timeout)
    if let token = keys.token { headers["x-amz-security-token"] = token }
    var hop = HTTPHop(
      method: method, address: address.address(of: name), headers: headers, body: body,
      limits: TransferLimits(
        bodyBytes: max(limit, Self.complaintBytes), connect: timeout, idle: .zero,
        total: timeout))
    hop.signing = RequestSigning(region: address.region, keys: keys)
    do throws(TransportError) {
      let answer = try await self.answer(to: hop, within: timeout)
      guard answer.body.count <= limit || !answer.status.isSuccess else { throw .tooLarge }
      return answer
    } catch {
      throw PictureStorageError(error)
    }
  }

  /// Sends a hop with a timeout of our own: libcurl does not end a transfer that still waits for a
  /// connection.
  /// - Throws: `.timedOut`, `.cancelled` with the current task, else what the transport throws.
  private func answer(
    to hop: HTTPHop, within timeout: Duration
  ) async throws(TransportError) -> HTTPResponse {
    let outcome = await withTaskGroup(of: Result<HTTPResponse, TransportError>.self) { group in
      group.addTask {
        do throws(TransportError) {
          return .success(try await transport.answer(to: hop).response)
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        do {
          try await Task.sleep(for: timeout)
          return .failure(.timedOut)
        } catch {
          return .failure(.cancelled)
        }
      }
      let first = await group.next() ?? .failure(.cancelled)
      group.cancelAll()
      return first
    }
    return try outcome.get()
  }

  /// Maximum size of an error response in bytes.
  private static let complaintBytes = 64 << 10

  /// Error for a response, with the storage's own code.
  private static func failure(of answer: HTTPResponse) -> PictureStorageError {
    let text = String(decoding: answer.body, as: UTF8.self)
    let code = text.firstRange(of: "<Code>").map { text[$0.upperBound...].prefix { $0 != "<" } }
    let word = code.map { $0.filter { $0.isASCII && $0.isLetter }.prefix(64) } ?? ""
    if answer.status.rawValue == 507 || word == "QuotaExceeded" { return .full }
    return .unavailable(
      "status \(answer.status.rawValue)" + (word.isEmpty ? "" : ", " + word))
  }
}

extension HTTPResponse {
  /// Whether the object is missing in a bucket that exists.
  fileprivate var isMissingObject: Bool {
    status == .notFound && !String(decoding: body, as: UTF8.self).contains("NoSuchBucket")
  }
}

extension PictureStorageError {
  fileprivate init(_ error: TransportError) {
    self =
      switch error {
      case .timedOut: .timedOut
      case .tooLarge: .tooLarge
      case .cancelled: .cancelled
      case .exhausted: .busy
      case .libraryMissing: .unavailable("libcurl is not installed")
      default: .unavailable("\(error)")
      }
  }
}

import MarketAPI
import MarketModel

/// Pictures in a bucket of an object storage that speaks the API of Amazon S3.
///
/// libcurl signs each request (AWS Signature Version 4) with the hash of what is sent, and buckets are
/// folders of the endpoint's path, as every such storage takes them.
package struct BucketStorage: PictureStorage {
  /// Maker of the SHA-256 of what is sent, as hexadecimal digits.
  package typealias Digest = @Sendable ([UInt8]) -> String

  private let address: BucketAddress
  private let keys: BucketKeys
  private let transport: any HTTPTransport
  private let digest: Digest
  private let timeout: Duration

  /// Each call may take as long as `patience`.
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

  /// Makes the storage of a bucket over connections of its own.
  package static func connected(
    to address: BucketAddress, with keys: BucketKeys, digest: @escaping Digest
  ) -> any PictureStorage {
    BucketStorage(at: address, with: keys, over: CurlTransport(), digest: digest)
  }

  package func put(_ bytes: [UInt8], at name: String) async throws(PictureStorageError) {
    let answer = try await ask(HTTPMethod(rawValue: "PUT"), name, sending: bytes)
    guard answer.status.isSuccess else { throw Self.failure(of: answer) }
  }

  /// Asks for it by `If-None-Match: *` (RFC 9110, section 13.1.2); a storage that does not know that
  /// replaces what is there, or says so and is asked without.
  package func putFirst(
    _ bytes: [UInt8], at name: String
  ) async throws(PictureStorageError) -> Bool {
    let answer = try await ask(
      HTTPMethod(rawValue: "PUT"), name, sending: bytes, [HeaderName.ifNoneMatch: "*"])
    switch answer.status.rawValue {
    // Another one is being written at this moment (409), or is there.
    case 409, 412: return false
    case 501:
      try await put(bytes, at: name)
      return true
    default:
      guard answer.status.isSuccess else { throw Self.failure(of: answer) }
      return true
    }
  }

  /// Nothing: only a file that is kept tells it.
  package func checkWriting() async throws(PictureStorageError) {}

  package func bytes(
    at name: String, atMost limit: Int
  ) async throws(PictureStorageError) -> [UInt8]? {
    let answer = try await ask(.get, name, receiving: limit)
    if answer.isMissingObject { return nil }
    guard answer.status.isSuccess else { throw Self.failure(of: answer) }
    return answer.body
  }

  package func delete(_ name: String) async throws(PictureStorageError) {
    let answer = try await ask(.delete, name)
    guard answer.status.isSuccess || answer.isMissingObject else { throw Self.failure(of: answer) }
  }

  private func ask(
    _ method: HTTPMethod, _ name: String, sending body: [UInt8] = [],
    _ conditions: HTTPHeaders = [:], receiving limit: Int = Self.complaintBytes
  ) async throws(PictureStorageError) -> HTTPResponse {
    // libcurl sends it by itself since 7.89 at the earliest, and takes this one for signing.
    var headers = conditions
    headers["x-amz-content-sha256"] = digest(body)
    if !body.isEmpty {
      // By which a browser shows it where it is told the storage's own address.
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

  /// The answer, or `.timedOut`: libcurl does not end what still waits for a connection.
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

  /// Bytes that the explanation of a refusal may have.
  private static let complaintBytes = 64 << 10

  /// The failure that an answer says, with the storage's own word for it.
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
  /// Whether there is no such object, in a bucket that is there.
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

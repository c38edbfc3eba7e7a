internal import CCurl
import DispatchBridge
import Glibc
import MarketAPI
import MarketModel

/// State of one request: what libcurl's callbacks collect, and the outcome.
///
/// Everything but `hop` and `outcome` is confined to the engine's queue.
final class CurlTransfer: @unchecked Sendable {
  let hop: HTTPHop
  let outcome = FirstResult<Result<HTTPHopResponse, TransportError>>()
  /// libcurl's handle; nil unless the transfer is running.
  var handle: CurlLibrary.Handle?
  /// Header lines, which must live until libcurl is done with the handle.
  var headerList: UnsafeMutablePointer<curl_slist>?
  var upload: UnsafeMutableRawBufferPointer?
  /// Error for which a callback stopped the transfer; nil if none did.
  private(set) var refusal: TransportError?
  private(set) var head = CurlResponseHead()
  private(set) var body: [UInt8] = []

  init(_ hop: HTTPHop) { self.hop = hop }

  /// Frees libcurl's buffers; the request body is wiped first, since it may hold a password.
  func releaseBuffers(_ library: CurlLibrary) {
    library.freeList(headerList)
    headerList = nil
    if let upload {
      if let start = upload.baseAddress { explicit_bzero(start, upload.count) }
      upload.deallocate()
    }
    upload = nil
    handle = nil
  }

  /// Parses a header line; false ends the transfer.
  func didReceiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    guard head.append(line) else { return refuse(.malformed) }
    return true
  }

  /// Appends bytes of the body; false ends the transfer.
  func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if let onEvents = hop.onEvents, head.response.isEventStream {
      return onEvents(bytes) || refuse(.malformed)
    }
    guard body.count + bytes.count <= hop.limits.bodyBytes else { return refuse(.tooLarge) }
    if body.isEmpty { body.reserveCapacity(expectedLength) }
    body.append(contentsOf: bytes)
    return true
  }

  /// Bytes to reserve for the body; the maximum if the server announces no length.
  ///
  /// Untouched pages cost nothing, and growing would hold the body twice.
  private var expectedLength: Int {
    let declared = head.declaredLength
    return declared > 0 && head.headers["content-encoding"] == nil
      ? min(declared, hop.limits.bodyBytes) : hop.limits.bodyBytes
  }

  /// Whether the address policy admits a zone.
  func admits(_ zone: NetworkZone) -> Bool {
    hop.addressPolicy.admits(zone) || refuse(.fenced)
  }

  private func refuse(_ error: TransportError) -> Bool {
    refusal = error
    return false
  }
}

extension CurlTransfer {
  /// Maps libcurl's result to a response or error; `get` is `curl_easy_getinfo`.
  func outcome(
    _ code: CURLcode, by get: UnsafeMutableRawPointer, _ easy: CurlLibrary.Handle
  ) -> Result<HTTPHopResponse, TransportError> {
    guard code == CURLE_OK else { return .failure(refusal ?? Self.error(of: code)) }
    func text(_ info: CURLINFO) -> String? {
      var value: UnsafePointer<CChar>?
      guard ccurl_get_text(get, easy, info, &value) == CURLE_OK else { return nil }
      return value.map { String(cString: $0) }
    }
    var status = 0
    ccurl_get_long(get, easy, CURLINFO_RESPONSE_CODE, &status)
    return .success(
      HTTPHopResponse(
        response: HTTPResponse(
          HTTPStatus(rawValue: status), headers: head.headers, body: body),
        redirect: text(CURLINFO_REDIRECT_URL),
        zone: text(CURLINFO_PRIMARY_IP).flatMap { NetworkZone(digits: $0) }))
  }

  private static func error(of code: CURLcode) -> TransportError {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameNotFound
    case CURLE_COULDNT_CONNECT: .refused
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_FILESIZE_EXCEEDED: .tooLarge
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
      CURLE_HTTP2, CURLE_HTTP2_STREAM:
      .disconnected
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CERTPROBLEM:
      .insecure
    default: .malformed
    }
  }
}

/// Header lines of the latest response on a connection, at most 256 with 64 KiB in total.
struct CurlResponseHead {
  private static let byteLimit = 64 << 10
  private static let lineLimit = 256

  private(set) var headers: HTTPHeaders = [:]
  private var status = 0
  private var byteCount = 0
  private var lineCount = 0

  /// Response so far, without its body.
  var response: HTTPResponse { HTTPResponse(HTTPStatus(rawValue: status), headers: headers) }

  /// Announced length of the body in bytes; 0 if absent or invalid.
  var declaredLength: Int {
    headers["content-length"].flatMap { Int($0) }.map { max(0, $0) } ?? 0
  }

  /// Parses one line with its line end; false if the lines exceed their limits.
  ///
  /// A status line resets the headers: an interim response (RFC 9110 section 15.2) came before.
  mutating func append(_ line: UnsafeRawBufferPointer) -> Bool {
    byteCount += line.count
    lineCount += 1
    guard byteCount <= Self.byteLimit, lineCount <= Self.lineLimit else { return false }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      headers = [:]
      status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    } else if let colon = text.firstIndex(of: ":") {
      headers.add(String(text[text.index(after: colon)...]), for: String(text[..<colon]))
    }
    return true
  }
}

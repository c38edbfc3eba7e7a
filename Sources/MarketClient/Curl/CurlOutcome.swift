internal import CCurl
import MarketAPI

/// Reads what became of a transfer that libcurl is done with.
struct CurlOutcome {
  private let get: UnsafeMutableRawPointer
  private let easy: CurlLibrary.Handle

  init(_ library: CurlLibrary, _ easy: CurlLibrary.Handle) {
    get = library.getEasyInfo.address
    self.easy = easy
  }

  func of(
    _ transfer: CurlTransfer, _ code: CURLcode
  ) -> Result<HTTPHopAnswer, TransportError> {
    guard code == CURLE_OK else {
      return .failure(transfer.refusal ?? Self.error(of: code))
    }
    var status = 0
    ccurl_get_long(get, easy, CURLINFO_RESPONSE_CODE, &status)
    let response = HTTPResponse(
      HTTPStatus(rawValue: status), headers: transfer.head.headers, body: transfer.body)
    return .success(
      HTTPHopAnswer(
        response: response, redirect: text(CURLINFO_REDIRECT_URL),
        zone: text(CURLINFO_PRIMARY_IP).flatMap { NetworkZone(digits: $0) }))
  }

  private func text(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard ccurl_get_text(get, easy, info, &value) == CURLE_OK else { return nil }
    return value.map { String(cString: $0) }
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

internal import CCurl
import MarketAPI
import MarketModel

/// Setter of the options of libcurl's easy handle for one transfer.
struct CurlOptions {
  private let set: UnsafeMutableRawPointer
  private let library: CurlLibrary
  private let easy: CurlLibrary.Handle
  private let authorities: String?

  /// Creates the options of one transfer; `authorities` is a file of trusted certificates (PEM), nil
  /// uses the system's.
  init(_ library: CurlLibrary, _ easy: CurlLibrary.Handle, trusting authorities: String?) {
    self.library = library
    self.authorities = authorities
    self.easy = easy
    set = library.setEasyOption.address
  }

  /// Sets all options; false if libcurl refuses one, and then nothing may be sent.
  func apply(_ transfer: CurlTransfer) -> Bool {
    let hop = transfer.hop
    // Without it a request that ends while its name is resolved blocks the queue until the system's
    // resolver gives up; libcurl has the option since 7.87.
    _ = long(CURLOPT_QUICK_EXIT, 1)
    return apply(hop.limits) && applyRules(of: hop) && applyCallbacks(to: transfer)
      && applyMessage(of: transfer) && applySigning(of: hop)
  }
}

extension CurlOptions {
  private func applyRules(of hop: HTTPHop) -> Bool {
    text(CURLOPT_URL, hop.address.text)
      && text(CURLOPT_PROTOCOLS_STR, "http,https")
      && long(CURLOPT_FOLLOWLOCATION, 0)
      && (authorities.map { text(CURLOPT_CAINFO, $0) } ?? true)
      && long(CURLOPT_SSL_VERIFYPEER, 1) && long(CURLOPT_SSL_VERIFYHOST, 2)
      && long(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
      // A compressed stream would be delayed until the compressor has a full block.
      && text(CURLOPT_ACCEPT_ENCODING, hop.onEvents == nil ? "" : "identity")
      && long(CURLOPT_NOSIGNAL, 1)
      // A proxy would resolve names itself, and the address policy would not see the addresses.
      && text(CURLOPT_PROXY, "")
      // On a reused connection libcurl repeats a request by itself if the server had closed it; what is
      // not safe to repeat gets a new connection.
      && (hop.method == .get || long(CURLOPT_FRESH_CONNECT, 1))
  }

  private func apply(_ limits: TransferLimits) -> Bool {
    long(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.milliseconds)
      && long(CURLOPT_TIMEOUT_MS, limits.total.milliseconds)
      && long(CURLOPT_LOW_SPEED_LIMIT, limits.idle > .zero ? 1 : 0)
      && long(CURLOPT_LOW_SPEED_TIME, max(1, (limits.idle.milliseconds + 999) / 1_000))
      && ccurl_set_offset(set, easy, CURLOPT_MAXFILESIZE_LARGE, limits.bodyBytes) == CURLE_OK
  }

  private func applyCallbacks(to transfer: CurlTransfer) -> Bool {
    let me = Unmanaged.passUnretained(transfer).toOpaque()
    return data(CURLOPT_WRITEFUNCTION, CurlCallbacks.body) && pointer(CURLOPT_WRITEDATA, me)
      && data(CURLOPT_HEADERFUNCTION, CurlCallbacks.header) && pointer(CURLOPT_HEADERDATA, me)
      && ccurl_set_open_callback(set, easy, CurlCallbacks.open) == CURLE_OK
      && pointer(CURLOPT_OPENSOCKETDATA, me)
      && ccurl_set_progress_callback(set, easy, CurlCallbacks.progress) == CURLE_OK
      && pointer(CURLOPT_XFERINFODATA, me)
      && long(CURLOPT_NOPROGRESS, transfer.hop.onUpload == nil ? 1 : 0)
  }

  private func applyMessage(of transfer: CurlTransfer) -> Bool {
    let hop = transfer.hop
    guard applyHeaders(of: transfer) else { return false }
    if hop.method == .get { return long(CURLOPT_HTTPGET, 1) }
    let body = UnsafeMutableRawBufferPointer.allocate(byteCount: hop.body.count, alignment: 1)
    body.copyBytes(from: hop.body)
    transfer.upload = body
    // Without a size libcurl would look for a zero byte; without a body it sends none.
    return
      (hop.method == .delete && hop.body.isEmpty
      || long(CURLOPT_POST, 1)
        && ccurl_set_offset(set, easy, CURLOPT_POSTFIELDSIZE_LARGE, body.count) == CURLE_OK
        && pointer(CURLOPT_POSTFIELDS, body.baseAddress))
      && text(CURLOPT_CUSTOMREQUEST, hop.method.rawValue)
  }

  /// Signs the request; libcurl can since 7.75, and as object storages require it since 7.88.
  private func applySigning(of hop: HTTPHop) -> Bool {
    guard let signing = hop.signing else { return true }
    return text(CURLOPT_AWS_SIGV4, "aws:amz:\(signing.region):s3")
      && text(CURLOPT_USERNAME, signing.keys.access)
      && text(CURLOPT_PASSWORD, signing.keys.secret)
  }

  private func applyHeaders(of transfer: CurlTransfer) -> Bool {
    // libcurl would send `Expect: 100-continue` for a long body and wait a second. It signs all lines
    // in this list, also those that only remove a header.
    let isSigned = transfer.hop.signing != nil
    var lines = isSigned ? ["User-Agent: OpenMarket"] : ["Expect:", "User-Agent: OpenMarket"]
    for field in transfer.hop.headers {
      lines.append(field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)")
    }
    if transfer.hop.headers[HeaderName.contentType] == nil, !isSigned {
      lines.append("Content-Type:")
    }
    for line in lines {
      transfer.headerList = library.appendToList(transfer.headerList, line)
    }
    return pointer(CURLOPT_HTTPHEADER, transfer.headerList)
  }
}

extension CurlOptions {
  private func long(_ option: CURLoption, _ value: Int) -> Bool {
    ccurl_set_long(set, easy, option, value) == CURLE_OK
  }

  private func text(_ option: CURLoption, _ value: String) -> Bool {
    ccurl_set_text(set, easy, option, value) == CURLE_OK
  }

  private func pointer(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) -> Bool {
    ccurl_set_pointer(set, easy, option, value) == CURLE_OK
  }

  private func data(_ option: CURLoption, _ callback: curl_write_callback) -> Bool {
    ccurl_set_data_callback(set, easy, option, callback) == CURLE_OK
  }
}

extension Duration {
  /// Whole milliseconds, at least 1, since libcurl reads 0 as "no limit".
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return max(1, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}

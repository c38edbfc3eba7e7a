internal import CCurl
import Glibc
import MarketAPI

/// One request on its way: what libcurl's callbacks collect, and who waits for the outcome.
///
/// Everything but `hop` is touched on the engine's queue only.
final class CurlTransfer: @unchecked Sendable {
  let hop: HTTPHop
  /// Set while libcurl works on it.
  var handle: CurlLibrary.Handle?
  /// What must live until libcurl is done with the handle.
  var headerList: UnsafeMutablePointer<curl_slist>?
  var upload: UnsafeMutableRawBufferPointer?
  /// Why a callback stopped the transfer, where one did.
  private(set) var refusal: TransportError?
  private(set) var head = CurlResponseHead()
  private(set) var body: [UInt8] = []
  /// Whether the outcome is told; true before it began where it was cancelled in between.
  private(set) var isFinished = false
  private var waiter: CheckedContinuation<Result<HTTPHopAnswer, TransportError>, Never>?

  init(_ hop: HTTPHop) {
    self.hop = hop
  }

  /// Remembers who waits; at once answered where the transfer is over already.
  func wait(_ waiter: CheckedContinuation<Result<HTTPHopAnswer, TransportError>, Never>) {
    guard !isFinished else { return waiter.resume(returning: .failure(.cancelled)) }
    self.waiter = waiter
  }

  /// Tells the outcome to who waits; later outcomes are nobody's.
  func finish(_ outcome: Result<HTTPHopAnswer, TransportError>) {
    isFinished = true
    waiter?.resume(returning: outcome)
    waiter = nil
  }

  /// Frees what libcurl needed; the body may hold a password, so it is wiped.
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

  /// - Returns: whether the transfer goes on.
  func didReceiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    guard head.append(line) else { return refuse(.malformed) }
    return true
  }

  /// - Returns: whether the transfer goes on.
  func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard body.count + bytes.count <= hop.limits.bodyBytes else { return refuse(.tooLarge) }
    if body.isEmpty { body.reserveCapacity(expectedLength) }
    body.append(contentsOf: bytes)
    return true
  }

  /// What is reserved for a body: all that it may have where the server does not say, for pages that
  /// are never written cost nothing, and growing would hold the body twice.
  private var expectedLength: Int {
    let declared = head.declaredLength
    return declared > 0 && head.headers["content-encoding"] == nil
      ? min(declared, hop.limits.bodyBytes) : hop.limits.bodyBytes
  }

  /// - Returns: whether an address of this zone may be connected to.
  func admits(_ zone: NetworkZone) -> Bool {
    hop.fence.admits(zone) || refuse(.fenced)
  }

  private func refuse(_ error: TransportError) -> Bool {
    refusal = error
    return false
  }
}

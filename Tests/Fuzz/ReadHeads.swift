import MarketAPI
import MarketServer

/// Reads libFuzzer's bytes as the input of a connection: request heads and bodies, one after the other.
///
/// However the bytes are cut into pieces, they must be the same requests, end at the same place and
/// be refused for the same reason. The first two bytes say where the cut is.
package func readHeads(_ bytes: [UInt8]) {
  guard bytes.count > 2 else { return }
  let stream = Array(bytes.dropFirst(2))
  let cut = (Int(bytes[0]) << 8 | Int(bytes[1])) % stream.count

  let whole = Reading(of: [stream])
  precondition(whole == Reading(of: [Array(stream[..<cut]), Array(stream[cut...])]))
  if stream.count < 2_000 { precondition(whole == Reading(of: stream.map { [$0] })) }
}

/// What a connection made of what it was sent.
private struct Reading: Equatable {
  private struct Request: Equatable {
    let head: RequestHead
    var body: [UInt8] = []
  }

  private static let bodyLimit = 10_000

  private var requests: [Request] = []
  private var refusal: RequestRejection?
  /// Bytes that belong to no whole request.
  private var rest = 0

  init(of pieces: [[UInt8]]) {
    var input: [UInt8] = []
    var scanner = HeadScanner()
    var reader: BodyReader?
    do throws(RequestRejection) {
      for piece in pieces {
        input += piece
        while try readNext(from: &input, &scanner, &reader) {}
      }
    } catch {
      refusal = error
      return
    }
    rest = input.count
    check()
  }

  /// Reads a head, or what there is of a body; false where more has to come.
  private mutating func readNext(
    from input: inout [UInt8], _ scanner: inout HeadScanner, _ reader: inout BodyReader?
  ) throws(RequestRejection) -> Bool {
    guard var body = reader else {
      let bytes = input
      let length = try bytes.withBytes { bytes throws(RequestRejection) in
        try scanner.end(in: bytes)
      }
      guard let length else { return false }
      let head = try bytes.withBytes { bytes throws(RequestRejection) in
        try RequestHead(parsing: UnsafeRawBufferPointer(rebasing: bytes[..<length]))
      }
      input.removeFirst(length)
      scanner = HeadScanner()
      requests.append(Request(head: head))
      if case .length(let count) = head.framing, count > Self.bodyLimit { throw .contentTooLarge }
      if head.framing != .none { reader = BodyReader(head.framing, limit: Self.bodyLimit) }
      return true
    }
    let bytes = input
    let count = try bytes.withBytes { bytes throws(RequestRejection) in try body.take(from: bytes) }
    input.removeFirst(count)
    reader = body.isDone ? nil : body
    if body.isDone { requests[requests.count - 1].body = body.body }
    return body.isDone
  }

  /// What was taken keeps the rules by which proxies decide the same.
  private func check() {
    for request in requests {
      let head = request.head
      let lengths = head.headers.values(of: "Content-Length")
      let encodings = head.headers.values(of: "Transfer-Encoding")
      precondition(lengths.count + encodings.count <= 1)
      precondition(head.headers.values(of: "Host").count <= 1)
      for field in head.headers {
        precondition(!field.name.isEmpty && !field.name.utf8.contains { $0 <= 0x20 || $0 >= 0x7F })
        precondition(!field.value.utf8.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D })
      }
      if encodings.isEmpty, lengths.isEmpty { precondition(request.body.isEmpty) }
    }
  }
}

import Glibc

/// One connection of a scripted server, read and written by blocking calls.
struct ScriptedConnection {
  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Reads one request; nil when the client is gone.
  func nextRequest() -> ReceivedRequest? {
    var bytes: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    while !bytes.suffix(4).elementsEqual(end) {
      guard let byte = receive(1) else { return nil }
      bytes += byte
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    guard let body = receive(length) else { return nil }
    return ReceivedRequest(
      method: String(words[0]), target: String(words[1]), headers: headers, body: body)
  }

  /// - Returns: whether the connection goes on.
  func perform(_ steps: [ServerStep]) -> Bool {
    steps.allSatisfy { step in
      switch step {
      case .send(let text): return send(Array(text.utf8))
      case .sendBytes(let bytes): return send(bytes)
      case .sendForEver(let text):
        let bytes = Array(text.utf8)
        while send(bytes) {}
        return false
      case .trickle(let text, let pause):
        for byte in text.utf8 {
          guard !clientGoes(within: pause), send([byte]) else { return false }
        }
        return true
      case .stall:
        _ = clientGoes(within: -1)
        return false
      case .close: return false
      }
    }
  }

  /// Waits for the client to close; -1 waits for ever.
  private func clientGoes(within milliseconds: Int32) -> Bool {
    var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&interest, 1, milliseconds) > 0
  }

  private func receive(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        recv(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, 0)
      }
      guard got > 0 else { return nil }
      filled += got
    }
    return bytes
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          descriptor, buffer.baseAddress?.advanced(by: sent), bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}

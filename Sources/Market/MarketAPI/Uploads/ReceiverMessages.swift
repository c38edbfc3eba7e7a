import MarketModel
import TextCoding

/// Lines between `market` and `market-server receive-photos`, which it starts: an event is one line, and
/// after that of a photo its bytes.
extension ReceiverEvent {
  /// Bytes of the message.
  package var message: [UInt8] {
    var words: [String]
    var content: [UInt8] = []
    switch self {
    case .opened(let address, let port): words = ["opened", address, port.map(String.init) ?? "-"]
    case .failed(let reason): words = ["failed", PercentCoding.encode(reason)]
    // Only a server refuses, and no process is between.
    case .refused, .visited: words = ["visited"]
    case .asked(let device): words = ["asked", String(device)]
    case .progress(let upload, let name, let percent):
      words = ["progress", String(upload), String(percent), PercentCoding.encode(name)]
    case .ended(let upload): words = ["ended", String(upload)]
    case .photo(let number, let photo):
      words = ["photo", String(number), String(photo.bytes.count)]
      words.append(PercentCoding.encode(photo.name))
      content = photo.bytes
    }
    return Array((words.joined(separator: " ") + "\n").utf8) + content
  }

  fileprivate init?(words: [String], content: [UInt8]) {
    let numbers = words.dropFirst().map { Int($0) }
    switch (words.first, words.count) {
    case ("opened", 3): self = .opened(address: words[1], port: UInt16(words[2]))
    case ("failed", 2): self = .failed(PercentCoding.decode(words[1]))
    case ("visited", 1): self = .visited
    case ("asked", 2):
      guard let device = numbers[0] else { return nil }
      self = .asked(device: device)
    case ("progress", 4):
      guard let upload = numbers[0], let percent = numbers[1] else { return nil }
      self = .progress(upload: upload, name: PercentCoding.decode(words[3]), percent: percent)
    case ("ended", 2):
      guard let upload = numbers[0] else { return nil }
      self = .ended(upload: upload)
    case ("photo", 4):
      guard let number = numbers[0] else { return nil }
      self = .photo(number, UploadedPhoto(name: PercentCoding.decode(words[3]), bytes: content))
    default: return nil
    }
  }
}

/// Incremental parser of the messages of `market-server receive-photos`.
package struct ReceiverEventReader {
  private var rest: [UInt8] = []

  package init() {}

  /// Adds bytes and returns the messages that are complete; unknown ones are skipped.
  package mutating func take(_ bytes: [UInt8]) -> [ReceiverEvent] {
    rest += bytes
    var events: [ReceiverEvent] = []
    var start = 0
    while let end = rest[start...].firstIndex(of: 0x0A) {
      let words = String(decoding: rest[start..<end], as: UTF8.self)
        .split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let count =
        words.first == "photo" && words.count > 2
        ? min(max(0, Int(words[2]) ?? 0), UploadLimits.photoBytes) : 0
      guard rest.count - end - 1 >= count else { break }
      let content = Array(rest[(end + 1)..<(end + 1 + count)])
      if let event = ReceiverEvent(words: words, content: content) { events.append(event) }
      start = end + 1 + count
    }
    rest.removeFirst(start)
    return events
  }
}

extension ReceiverCommand {
  /// Line of the command, with its end.
  package var line: String {
    switch self {
    case .took(let photo, let isTaken): "\(isTaken ? "took" : "refused") \(photo)\n"
    case .admit(let device, let isAdmitted): "\(isAdmitted ? "admit" : "deny") \(device)\n"
    }
  }

  /// Parses a line without its end; nil for an unknown one.
  package init?(line: some StringProtocol) {
    let words = line.split(separator: " ")
    guard words.count == 2, let number = Int(words[1]) else { return nil }
    switch words[0] {
    case "took": self = .took(photo: number, true)
    case "refused": self = .took(photo: number, false)
    case "admit": self = .admit(device: number, true)
    case "deny": self = .admit(device: number, false)
    default: return nil
    }
  }
}

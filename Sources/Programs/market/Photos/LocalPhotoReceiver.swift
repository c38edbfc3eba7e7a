import Dispatch
import Glibc
import MarketAPI
import MarketModel
import MarketViewModels
import Posix
import Synchronization

/// Pages of this machine for a telephone's photos: `market-server receive-photos`, started for each.
nonisolated struct LocalPhotoReceiver: PhotoReceiver {
  /// Port of the page; 0 takes any free one.
  let port: UInt16
  var value: @Sendable (String) -> String? = Environment.value(of:)

  func routes() async -> PhotoRoutes {
    guard ServerProgram.path != nil else { return PhotoRoutes(obstacle: .noProgram) }
    let interfaces = NetworkInterface.all()
    guard interfaces.contains(where: { !$0.isLoopback }) else {
      return PhotoRoutes(obstacle: .noNetwork)
    }
    var addresses = NetworkInterface.offered(interfaces)
    let caution = MachineSurroundings.caution(value)
    if let host = MachineSurroundings.sshHost(value),
      let used = addresses.first(where: { $0.host == host })
    {
      addresses = [used]
    }
    return PhotoRoutes(addresses.map { .local($0) }, caution: caution)
  }

  func open(_ route: PhotoRoutes.Route) -> PhotoReception {
    let (events, continuation) = AsyncStream<ReceiverEvent>.makeStream()
    guard case .local(let address) = route, let path = ServerProgram.path else {
      continuation.finish()
      return PhotoReception(events: events, send: { _ in }, close: {})
    }
    let host = address.host.contains(":") ? "[\(address.host)]" : address.host
    let words = [path, "receive-photos", "--listen", "\(host):\(port)"]
    do throws(SystemError) {
      let process = try ReceiverProcess(words, to: continuation)
      return PhotoReception(events: events, send: process.send, close: process.end)
    } catch {
      continuation.yield(.failed(error.description))
      continuation.finish()
      return PhotoReception(events: events, send: { _ in }, close: {})
    }
  }
}

/// Running `market-server receive-photos`, which ends when its input closes.
private nonisolated final class ReceiverProcess: Sendable {
  private static let pieceSize = 1 << 18

  /// Socket that is the program's input and output; nil once it is closed.
  private let socket: Mutex<Int32?>

  /// Starts the program; its events go to `events`, which finish with its output.
  /// - Throws: the error of socketpair(2) or posix_spawn(3).
  init(
    _ words: [String], to events: AsyncStream<ReceiverEvent>.Continuation
  ) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    // No other program inherits the sockets, so that they close with this one.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .last }
    let (own, others) = (ends[0], ends[1])
    let start = ExternalProgram.start(words, isSilent: true, input: others, output: others)
    close(others)
    switch start {
    case .failure(let error):
      close(own)
      throw error
    case .success(let child):
      socket = Mutex(own)
      DispatchQueue(label: "market.photos.receiver").async { [self] in
        var reader = ReceiverEventReader()
        while let bytes = try? FileDescriptorIO.read(upTo: Self.pieceSize, from: own),
          !bytes.isEmpty
        {
          for event in reader.take(bytes) { events.yield(event) }
        }
        waitpid(child, nil, 0)
        events.finish()
        socket.withLock { socket in
          close(own)
          socket = nil
        }
      }
    }
  }

  func send(_ command: ReceiverCommand) {
    let line = Array(command.line.utf8)
    socket.withLock { socket in
      // The socket has room for thousands of commands, and an ended program refuses them.
      if let socket { Glibc.send(socket, line, line.count, Int32(MSG_NOSIGNAL)) }
    }
  }

  /// Ends the program by closing its input.
  func end() {
    socket.withLock { socket in
      if let socket { shutdown(socket, Int32(SHUT_WR)) }
    }
  }
}

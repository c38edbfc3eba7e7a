import CommandKit
import Dispatch
import Glibc
import MarketAPI
import MarketModel
import MarketServer
import MarketStrings
import Posix

/// Command `receive-photos`: receives a telephone's photos for the form of the program that started it.
///
/// It has no store and writes no file: photos go to standard output, commands come from standard input,
/// and when that closes, however the other program ended, this one is gone at once with its port.
struct ReceivePhotosRun {
  private let address: HostAndPort
  private let options: ServerOptions

  init(_ options: ServerOptions) {
    (self.options, address) = (options, options.address)
  }

  /// Serves the page until standard input closes, or its time is over; returns the exit status.
  func run() async -> Int32 {
    guard Self.isPipe(STDIN_FILENO), Self.isPipe(STDOUT_FILENO) else {
      Console.warn(options.strings[.receiverForProgram])
      return ExitStatus.usage
    }
    // A closed output ends the program by the closed input.
    signal(SIGPIPE, SIG_IGN)
    let output = DispatchQueue(label: "market.receiver.output")
    let send = { @Sendable (event: ReceiverEvent) in
      output.async { try? FileDescriptorIO.writeAll(event.message, to: STDOUT_FILENO) }
    }
    do throws(ListeningSocket.Failure) {
      let socket = try ListeningSocket(on: address)
      let token = UploadToken()
      let address = socket.address
      let receiver = PhotoReceiver(
        token, at: "\(address)", language: options.language, send: send)
      let server = try HTTPServer(
        on: socket, answering: receiver, limits: PhotoReceiver.limits
      ) { event in
        if case .finished(let request) = event, let trace = request.trace {
          receiver.didEnd(trace)
        }
      }
      Self.readCommands(for: receiver)
      let page = "HTTP://\(address)".uppercased() + token.path
      send(.opened(address: page, port: address.port))
      try? await Task.sleep(for: .seconds(60 * UploadLimits.minutes))
      await server.stop(after: 0)
      return 0
    } catch {
      send(.failed(error.reason))
      output.sync {}
      return 1
    }
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Carries out the commands of standard input; ends the program at its end.
  private static func readCommands(for receiver: PhotoReceiver) {
    DispatchQueue(label: "market.receiver.input").async {
      var rest: [UInt8] = []
      while let bytes = try? FileDescriptorIO.read(upTo: 4_096, from: STDIN_FILENO), !bytes.isEmpty
      {
        rest += bytes
        while let end = rest.firstIndex(of: 0x0A) {
          let line = String(decoding: rest[..<end], as: UTF8.self)
          rest.removeFirst(end + 1)
          if let command = ReceiverCommand(line: line) { receiver.perform(command) }
        }
      }
      _exit(0)
    }
  }
}

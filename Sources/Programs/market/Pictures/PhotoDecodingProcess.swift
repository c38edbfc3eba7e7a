internal import CSpawn
import Dispatch
import DispatchBridge
import Glibc
import PictureKit
import Posix

/// Process that decodes one HEIC or AVIF file: this program once more, sealed before it reads.
///
/// The decoders of video in libheif are those whose errors were exploited most often, so that they
/// run apart, and for a seller's own photos alone.
nonisolated struct PhotoDecodingProcess: Hashable, Sendable {
  static let command = "decode-photo"
  /// Maximum bytes of a file.
  private static let maxFileSize = 50_000_000
  /// Maximum seconds from the first byte to the end; then the kernel ends the process (alarm(2)).
  private static let maxSeconds: UInt32 = 5

  private let child: pid_t
  /// Ends of pipes: where the file goes, and where the answer comes from.
  private let input: Int32
  private let output: Int32

  /// Starts the process, which waits for a file; `program` is the path of `market`.
  ///
  /// - Throws: `.notStarted`.
  init(program: String = "/proc/self/exe") throws(HEIFMessage.Failure) {
    var (file, answer): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe2(&file, O_CLOEXEC) == 0 else { throw .notStarted }
    guard pipe2(&answer, O_CLOEXEC) == 0 else {
      for end in file { close(end) }
      throw .notStarted
    }
    let started = ExternalProgram.start(
      [program, Self.command], isSilent: true, input: file[0], output: answer[1])
    close(file[0])
    close(answer[1])
    (input, output) = (file[1], answer[0])
    guard case .success(let child) = started else {
      close(input)
      close(output)
      throw .notStarted
    }
    self.child = child
  }

  /// Decodes the file that the process is for; to be called once.
  ///
  /// - Throws: why there is no picture.
  func picture(of bytes: [UInt8]) throws(HEIFMessage.Failure) -> HEIFPicture {
    // A process that ends before it has read says why in its answer.
    try? FileDescriptorIO.writeAll(bytes, to: input)
    close(input)
    let answer = try? FileDescriptorIO.readAll(from: output, limit: HEIFMessage.maxCount)
    close(output)
    // What writes on gets EPIPE, and what hangs its alarm.
    waitpid(child, nil, 0)
    return try HEIFMessage.picture(from: answer ?? [])
  }

  /// Runs as this process: decodes the file of standard input to standard output.
  static func run() -> Never {
    let isOpen = HEIFDecoder.open()
    do throws(SystemError) {
      try ProcessSandbox.limitDecoding()
      var file = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      while poll(&file, 1, -1) < 0 {}
      alarm(maxSeconds)
      try ProcessSandbox.closeForDecoding()
    } catch {
      answer(HEIFMessage.bytes(.notStarted))
    }
    guard isOpen else { answer(HEIFMessage.bytes(.noLibrary)) }
    guard let bytes = try? FileDescriptorIO.readAll(from: STDIN_FILENO, limit: maxFileSize) else {
      answer(HEIFMessage.bytes(.tooLarge))
    }
    do {
      answer(HEIFMessage.bytes(try HEIFDecoder.decode(bytes)))
    } catch {
      answer(HEIFMessage.bytes(HEIFMessage.Failure(error)))
    }
  }

  private static func answer(_ bytes: [UInt8]) -> Never {
    try? FileDescriptorIO.writeAll(bytes, to: STDOUT_FILENO)
    // No destructors: they may want what the seal refuses.
    _exit(0)
  }
}

/// Decoder of a seller's HEIC and AVIF files on a queue of its own, each in a process.
actor HEIFDecodingQueue {
  private let executor = QueueExecutor(label: "photos.heif", qos: .utility)
  /// Process that was started before this one was sealed; nil starts one for each file.
  private let started: PhotoDecodingProcess?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ started: PhotoDecodingProcess? = nil) {
    self.started = started
  }

  /// Decodes a file.
  ///
  /// - Throws: why there is no picture.
  func picture(of bytes: [UInt8]) throws(HEIFMessage.Failure) -> HEIFPicture {
    if let started { return try started.picture(of: bytes) }
    return try PhotoDecodingProcess().picture(of: bytes)
  }
}

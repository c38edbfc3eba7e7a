import Glibc
import Posix

/// Command-line arguments of the process, which are bytes (execve(2)).
package struct CommandLineWords {
  package let words: [String]
  /// First word that is not UTF-8, with U+FFFD in place of its bytes; nil for none.
  package private(set) var broken: String?

  /// Reads the arguments of this process without its name; values of `option` are file names and keep
  /// bytes that are not UTF-8.
  package init(keepingBytesOf option: String? = nil) {
    let words = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { word in
        Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
      }
    }
    self.init(words, keepingBytesOf: option)
  }

  package init(_ words: [[UInt8]], keepingBytesOf option: String? = nil) {
    var texts: [String] = []
    for bytes in words {
      let text = String(decoding: bytes, as: UTF8.self)
      if let option, texts.last == option || text.hasPrefix(option + "=") {
        texts.append(FileName.text(bytes))
      } else {
        if broken == nil, String(validating: bytes, as: UTF8.self) == nil { broken = text }
        texts.append(text)
      }
    }
    self.words = texts
  }
}

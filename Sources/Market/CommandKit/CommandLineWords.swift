import Glibc
import Posix

/// Words that a program was started with, which are bytes (execve(2)).
package struct CommandLineWords {
  package let words: [String]
  /// The first word that is not UTF-8, with U+FFFD in the place of its bytes; nil where all are.
  package private(set) var broken: String?

  /// The words of this process without its name; the values of `option` are file names, which keep
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

import CommandKit
import Expectations
import MarketStrings
import Testing

struct CompleterTests {
  /// The words that are offered, without what they are.
  private func words(_ typed: String...) -> [String] {
    Completer(Trial.table, Strings(.english)).lines(for: typed)
      .map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func `commands are offered by their first words, each once, and then by their second`() {
    expect(words(""), ["paint", "wall", "pass", "help", "completion", "man"])
    expect(words("pa"), ["paint", "pass"])
    expect(words("wall", ""), ["set", "remove"])
    expect(words("wall", "s"), ["set"])
  }

  @Test func `options of the command are offered, those that stand there already are not`() {
    expect(words("wall", "set", "--"), ["--place", "--help", "--language", "--version"])
    #expect(words("paint", "--loud", "--lo").isEmpty)
    expect(words("paint", "--name", "x", "--na"), ["--name"])
    expect(words("--c"), ["--check"])
    #expect(words("paint", "--", "--").isEmpty)
  }

  @Test func `values are offered behind their options, however a shell divides the words`() {
    expect(words("paint", "--color", ""), ["red", "green"])
    expect(words("--color", "g"), ["green"])
    expect(words("paint", "--color=g"), ["--color=green"])
    expect(words("paint", "--color", "=", "g"), ["green"])
    expect(words("paint", "--color", "="), ["red", "green"])
    expect(words("paint", "--color", "=", "red", "--l"), ["--loud", "--language"])
    expect(words("wall", "set", "--place", ""), ["home", "work"])
    #expect(words("paint", "--count", "").isEmpty)
  }

  @Test func `files are offered for values that are files alone`() {
    expect(words("--check", ""), [":files"])
    expect(words("--check", "--l"), ["--language"])
    #expect(words("paint", "").isEmpty)
  }

  @Test func `words that are one of some are offered`() {
    expect(words("completion", ""), ["bash", "zsh", "fish"])
    #expect(words("completion", "bash", "").isEmpty)
    expect(words("help", "f"), ["files"])
    expect(words("help", "wall", ""), ["set", "remove"])
  }

  @Test func `a word comes with what it is`() {
    let lines = Completer(Trial.table, Strings(.korean)).lines(for: ["man"])

    expect(lines, ["man\t매뉴얼 페이지를 출력합니다"])
  }

  @Test func `nothing is offered for what is no command`() {
    #expect(words("what", "").isEmpty)
    #expect(words("what", "--").isEmpty)
  }
}

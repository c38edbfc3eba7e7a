import Expectations
import Glibc
import TerminalTestSupport
import TestSupport
import Testing

/// `market list --follow`, as scripts use it.
@Suite(.ownThread) struct FollowCommandTests {
  /// Registers a product with the loop's counter as price.
  private static let registration =
    "echo sesame | market new --name Cup --price $price --description 'A blue cup for tea.'"
    + " --stock 1 --photo cup.jpg --seller Hana"

  private func program(_ market: GeneratedMarket? = .rows(3)) async throws -> MarketProgram {
    let program = try await MarketProgram(market)
    try program.addPhoto("cup.jpg", fixture: "baseline.jpg")
    return program
  }

  /// A script that follows until it has so many lines, while another program changes the market.
  ///
  /// It says by its first line that it listens, so changes are made until both have ended. The seller is
  /// known before, or the first change would be her name.
  private static func script(_ market: String, lines: Int, _ options: String = "") -> String {
    """
    price=1000; \(registration) \(market) > /dev/null
    market list --follow --limit \(lines) \(market) \(options) --language en > heard 2> said &
    follower=$!
    for price in $(seq 1001 1200); do
      kill -0 $follower 2> /dev/null || break
      \(registration) \(market) > /dev/null
    done
    wait $follower
    echo "ended with $?"
    cat heard said
    """
  }

  @Test func `changes of a file by another program are printed as they come`() async throws {
    let run = try await program().runShell(
      Self.script("--store trial.market", lines: 2))

    let lines = run.output.split(separator: "\n")
    expect(lines.first, "ended with 0")
    expect(lines.dropFirst().count, 2)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("listed\t") && $0.hasSuffix("\tCup") })
  }

  @Test func `changes at a server are lines of JSON for programs`() async throws {
    let run = try await program().runShell(
      """
      mkfifo serving
      market serve --store trial.market --listen 127.0.0.1:0 > serving 2> /dev/null &
      server=$!
      exec 3< serving
      read -r line <&3
      address=http://${line##*http://}
      """ + "\n" + Self.script("--server $address", lines: 2, "--json") + "\nkill $server")

    let lines = run.output.split(separator: "\n")
    expect(lines.first, "ended with 0")
    expect(lines.dropFirst().count, 2)
    #expect(
      lines.dropFirst().allSatisfy {
        $0.hasPrefix(#"{"event":"product","id":"#) && $0.contains(#""kind":"listed","version":""#)
          && $0.contains(#","product":{"id":"#)
      })
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func `a signal ends it, and the market file is one file again`(
    name: String, status: Int
  ) async throws {
    let run = try await program().runShell(
      """
      set -m
      market list --follow --store trial.market --language en > heard &
      follower=$!
      for price in $(seq 1001 1200); do
        [ -s heard ] && break
        \(Self.registration) --store trial.market > /dev/null
      done
      kill -\(name) $follower
      wait $follower
      echo "ended with $?"
      ls trial.market*
      """)

    expect(run.output, "ended with \(status)\ntrial.market\n")
  }

  /// The pipe is full before it starts, so that its first line is a write which does not end.
  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func `a signal ends it also while nobody reads what it says`(
    name: String, status: Int
  ) async throws {
    let run = try await program().runShell(
      """
      set -m
      mkfifo unread
      { head -c 65536 /dev/zero && exec market list --follow --store trial.market; } > unread &
      follower=$!
      exec 3< unread
      for price in $(seq 1001 1006); do
        \(Self.registration) --store trial.market > /dev/null
      done
      kill -\(name) $follower
      wait $follower
      echo "ended with $?"
      """)

    expect(run.output, "ended with \(status)\n")
  }

  @Test func `a server that is not there ends it at once`() async throws {
    let run = try await program(nil).run(
      "list", "--follow", "--server", "http://127.0.0.1:1", "--language", "en")

    expect(run.exit, .exited(status: 1))
    expect(run.output, "")
  }

  @Test func `whoever reads no further ends it`() async throws {
    let run = try await program().runShell(
      """
      set +o pipefail
      price=1000; \(Self.registration) --store trial.market > /dev/null
      (market list --follow --store trial.market; echo "ended with $?" > ended) | head -n 1 > heard &
      # It finds out by the next line that it writes.
      for price in $(seq 1001 1200); do
        [[ ! -s ended ]] || break
        \(Self.registration) --store trial.market > /dev/null
      done
      wait
      cut -f 1 heard
      cat ended
      """)

    expect(run.output, "listed\nended with 141\n")
  }
}

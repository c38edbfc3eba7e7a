import Expectations
import TerminalTestSupport
import TestSupport
import Testing

/// Sentences of mistakes in both languages: what is wrong, where, and what to do.
@Suite(.ownThread) struct MessageTests {
  /// One command line with its sentence; `*` stands for the home folder.
  struct Message: Sendable, CustomTestStringConvertible {
    let words: [String]
    let english: String
    let korean: String
    var status: Int32 = 2
    /// A file in the home folder, where the command has one, and its text.
    var file: (name: String, text: String)?
    var usesStore = true

    var testDescription: String { words.joined(separator: " ") }
  }

  static let messages = [
    Message(
      words: ["list", "--sort-by", "price"],
      english: "Unknown option: --sort-by (did you mean --sort?)",
      korean: "알 수 없는 옵션입니다: --sort-by (혹시 --sort?)"),
    Message(
      words: ["list", "--limit", "ten"],
      english: "Invalid value “ten” for --limit; expected a whole number, 1 or more",
      korean: "--limit 값이 올바르지 않습니다: “ten” (1 이상의 정수)"),
    Message(
      words: ["serve", "--quota", "ten"],
      english: "Invalid value “ten” for --quota; expected a size, such as 500M or 20G",
      korean: "--quota 값이 올바르지 않습니다: “ten” (500M, 20G 같은 크기)",
      usesStore: false),
    Message(
      words: ["serve", "--rate", "-1"],
      english: "Invalid value “-1” for --rate; "
        + "expected a whole number from 0 to 60000",
      korean: "--rate 값이 올바르지 않습니다: “-1” (0부터 60000까지의 정수)",
      usesStore: false),
    Message(
      words: ["--server", "http://a.example", "--save-as", "my shop"],
      english: "Invalid value “my shop” for --save-as; "
        + "expected a name of letters, digits, ., - and _, such as home",
      korean: "--save-as 값이 올바르지 않습니다: “my shop” "
        + "(글자, 숫자, ., -, _로 된 이름. 예: home)",
      usesStore: false),
    Message(
      words: ["serve", "--listen", "99999"],
      english: "Invalid value “99999” for --listen; "
        + "expected a host and a port, such as 127.0.0.1:8080",
      korean: "--listen 값이 올바르지 않습니다: “99999” "
        + "(127.0.0.1:8080 같은 호스트와 포트)",
      usesStore: false),
    Message(
      words: ["show", "abc"],
      english: "Invalid value “abc” for show; expected a product number; market list shows them",
      korean: "show 값이 올바르지 않습니다: “abc” (상품 번호. market list로 볼 수 있습니다)"),
    Message(
      words: ["list", "--search", "lamp sort:price"],
      english: "“sort:price” cannot be read; use one of sort:price-asc, sort:price-desc, "
        + "sort:discount, sort:newest, or put it in quotes to search for it as a word",
      korean: "“sort:price”: 알 수 없는 검색 조건입니다. sort:price-asc, sort:price-desc, "
        + "sort:discount, sort:newest 중에서 쓰거나, 그대로 찾으려면 따옴표로 묶어 주세요"),
    Message(
      words: ["list", "--search", "<abc"],
      english: "“<abc” cannot be read; write it as in <12000, "
        + "or put it in quotes to search for it as a word",
      korean: "“<abc”: 알 수 없는 검색 조건입니다. <12000처럼 쓰거나, "
        + "그대로 찾으려면 따옴표로 묶어 주세요"),
    Message(
      words: ["list", "--search", "@nobody"],
      english: "No seller here is called “nobody”; search for part of the name",
      korean: "“nobody” 판매자가 없습니다. 이름의 일부로 검색해 주세요", status: 4),
    Message(
      words: ["edit", "1", "--price", "-5"], english: "Price: Cannot be below 0",
      korean: "가격: 0 이상이어야 합니다", status: 1),
    Message(
      words: ["edit", "1", "--price", "9e4"],
      english: "Price: Not an amount, such as 12,000 or 12.50",
      korean: "가격: 금액을 입력해 주세요. 예: 1만5천, 12.50", status: 1),
    Message(
      words: ["edit", "1", "2", "--currency", "EUR"],
      english: "Currency: This market takes KRW, USD; choose one of them",
      korean: "통화: 이 마켓에서 쓸 수 있는 통화(KRW, USD) 중에서 골라 주세요", status: 1),
    Message(
      words: ["list", "--store", "none.sqlite"],
      english: "There is no market file none.sqlite; create one: "
        + "market sample --store none.sqlite, or market serve --store none.sqlite",
      korean: "마켓 파일이 없습니다: none.sqlite. market sample --store none.sqlite 또는 "
        + "market serve --store none.sqlite 명령으로 만들어 주세요",
      status: 1, usesStore: false),
    Message(
      words: ["export", "*/a.csv", "--store", "none.sqlite"],
      english: "There is no market file none.sqlite; create one: "
        + "market sample --store none.sqlite, or market serve --store none.sqlite",
      korean: "마켓 파일이 없습니다: none.sqlite. market sample --store none.sqlite 또는 "
        + "market serve --store none.sqlite 명령으로 만들어 주세요",
      status: 1, usesStore: false),
    Message(
      words: ["list", "--server", "http://127.0.0.1:9"],
      english: "http://127.0.0.1:9: Cannot connect; is the server running?",
      korean: "http://127.0.0.1:9: 연결할 수 없습니다. 서버가 켜져 있는지 확인해 주세요",
      status: 1, usesStore: false),
    Message(
      words: ["list", "--server", "home"],
      english: "No market is saved as “home”; save one: market --server URL --save-as home",
      korean: "이 이름으로 저장한 마켓이 없습니다: “home”. "
        + "market --server URL --save-as home 명령으로 저장해 주세요",
      status: 1, usesStore: false),
    Message(
      words: [
        "new", "--seller", "Hana", "--name", "Desk lamp", "--description", "Gives warm light.",
        "--price", "9000", "--photo", "*/none.jpg",
      ], english: "*/none.jpg: No such file", korean: "*/none.jpg: 파일이 없습니다", status: 1),
    Message(
      words: ["edit", "1", "--photo", "*/none.jpg"], english: "*/none.jpg: No such file",
      korean: "*/none.jpg: 파일이 없습니다", status: 1),
    Message(
      words: ["new", "--seller", "Hana", "--from-file", "*/c.json"],
      english: "*/c.json:2: the file ends before its last bracket; add } at the end",
      korean: "*/c.json:2: 닫는 괄호 없이 파일이 끝납니다. 끝에 }를 넣어 주세요",
      status: 1, file: ("c.json", "[\n{\"nm\":\"x\"}")),
    Message(
      words: ["new", "--seller", "Hana", "--from-file", "*/c.json"],
      english: "Product 1: The product also needs pictures, description",
      korean: "1번째 상품: 상품에 더 필요한 항목: pictures, description",
      status: 1, file: ("c.json", "[{\"name\":\"Desk lamp\",\"price\":1}, {}]")),
    Message(
      words: ["edit", "--from-file", "*/d.json"],
      english: "*/d.json: product 1: unknown field “prise” (did you mean price?)",
      korean: "*/d.json: 1번째 상품: 알 수 없는 필드 “prise” (혹시 price?)",
      file: ("d.json", "[{\"id\":1,\"prise\":5}]")),
    Message(
      words: ["import", "*/bad.csv"],
      english: "line 2: price: “abc”: Not an amount, such as 12,000 or 12.50",
      korean: "2번째 줄: price: “abc”: 금액을 입력해 주세요. 예: 1만5천, 12.50",
      status: 1, file: ("bad.csv", "name,price\nDesk lamp,abc\n,1000\n")),
    Message(
      words: ["delete", "1", "2", "3"],
      english: "This deletes 3 products permanently; add --yes to confirm",
      korean: "상품 3개를 완전히 삭제합니다. 삭제하려면 --yes를 붙여 주세요"),
    Message(
      words: ["delete", "1"],
      english: "This deletes the product permanently; add --yes to confirm",
      korean: "상품 1개를 완전히 삭제합니다. 삭제하려면 --yes를 붙여 주세요"),
    Message(
      words: ["open", "example.com/x"],
      english: "Invalid value “example.com/x” for open; "
        + "expected the link of a product, which looks like https://market.example/products/12",
      korean: "open 값이 올바르지 않습니다: “example.com/x” "
        + "(https://market.example/products/12처럼 생긴 상품 링크)",
      usesStore: false),
    Message(
      words: ["admin", "seller", "set", "--id", "6"],
      english:
        "Pipe the identifier in, or type it at the hidden prompt of “market admin seller set”",
      korean: "식별자를 파이프로 넣거나 “market admin seller set”에서 보이지 않게 입력해 주세요", status: 1),
    Message(
      words: ["identity", "import"],
      english:
        "Pipe the identifier in, or type it at the hidden prompt of “market identity import”",
      korean: "식별자를 파이프로 넣거나 “market identity import”에서 보이지 않게 입력해 주세요", status: 1),
    Message(
      words: ["completion", "tcsh"],
      english: "Invalid value “tcsh” for completion; expected bash|zsh|fish",
      korean: "completion 값이 올바르지 않습니다: “tcsh” (bash|zsh|fish)",
      usesStore: false),
    Message(
      words: ["list", "--server", "http://a.example", "--api", "2020"],
      english: "Invalid value “2020” for --api; "
        + "expected auto|2021|2022|2023 (the year of the server’s API; auto asks the server)",
      korean: "--api 값이 올바르지 않습니다: “2020” "
        + "(auto|2021|2022|2023. 서버 API의 연도이며, auto는 서버에서 확인합니다)",
      usesStore: false),
    Message(
      words: ["guest", "--state", "*/guests", "--store", "x"],
      english: "This command is started by sshd for SSH guests; "
        + "“man market” says how to set it up",
      korean: "sshd가 ssh 게스트용으로 실행하는 명령입니다. 설정 방법은 “man market”에 있습니다",
      status: 1, usesStore: false),
    Message(
      words: ["guest"],
      english: "Missing argument: --server URL|--store PATH, --state DIR (see --help)",
      korean: "인자가 필요합니다: --server URL|--store PATH, --state DIR (--help 참고)",
      usesStore: false),
    Message(
      words: ["data", "import", "*/notes.txt"],
      english: "*/notes.txt was not made by “market data export”; nothing was changed",
      korean: "*/notes.txt: “market data export”로 만든 파일이 아닙니다. 바뀐 것은 없습니다",
      status: 1, file: ("notes.txt", "host\n"), usesStore: false),
    Message(
      words: ["alerts"],
      english: "*/data/market/personal.sqlite: "
        + "Favorites and alerts cannot be saved: move the damaged personal.sqlite away",
      korean: "*/data/market/personal.sqlite: "
        + "찜과 알림을 저장할 수 없습니다. 손상된 personal.sqlite를 옮겨 주세요",
      status: 1, file: ("data/market/personal.sqlite", "no database"), usesStore: false),
  ]

  @Test(arguments: messages)
  func `a mistake says what, where and what to do`(message: Message) async throws {
    let program = try await MarketProgram(message.usesStore ? .rows(3) : nil)
    if let file = message.file { try program.addFile(file.name, file.text) }
    let home = program.path(of: "")
    let folder = home.hasSuffix("/") ? String(home.dropLast()) : home
    let here = { (text: String) in text.replacing("*", with: folder) }

    for (language, sentence) in [("en", message.english), ("ko", message.korean)] {
      let run = try program.run(message.words.map(here) + ["--language", language])

      // Nothing is asked for: standard input is at its end.
      let line = run.errors.split(separator: "\n").first.map(String.init) ?? ""
      expect(line.split(separator: ": ", maxSplits: 1).last.map(String.init), here(sentence))
      expect(run.exit, .exited(status: message.status))
    }
  }

  @Test func `what a server lacks is named as it was typed`() async throws {
    let server = try await TrialServer(.rows(3))
    let words = ["list", "--server", server.address, "--api", "2021"]

    let filter = try await MarketProgram(nil).run(
      words + ["--filter", "in-stock", "--language", "en"])
    let search = try await MarketProgram(nil).run(
      words + ["--search", "a sort:price-asc", "--language", "ko"])

    expect(
      filter.errors,
      "market: This market does not support --filter in-stock with --api 2021; leave it out\n")
    #expect(search.errors.contains("지원하지 않습니다: --search a sort:price-asc"))
    #expect(filter.exit == .exited(status: 1) && search.exit == .exited(status: 1))
  }

  @Test(arguments: [["edit", "1", "--photo", "none.jpg"], ["admin", "password", "9"]])
  func `at a terminal no password is asked for before the rest was checked`(words: [String])
    async throws
  {
    let program = try await MarketProgram(.rows(3))

    let session = try program.open(words: words + ["--language", "en"])

    let status = try session.waitForExit()
    #expect(status != .exited(status: 0))
    let screen = session.screen
    #expect(!screen.contains("assword"))
    #expect(screen.contains("No such file") || screen.contains("There is no product 9"))
    // The log of operators is for files.
    #expect(!screen.contains("operator password-set"))
  }

  @Test func `a folder for pictures that is not there is named at the start and by the check`()
    async throws
  {
    let program = try await MarketProgram(nil)
    let options = [
      "serve", "--store", program.path(of: "a.sqlite"), "--listen", "127.0.0.1:0", "--pictures",
      "/no/such/folder",
    ]

    let english = try program.run(options + ["--check-config", "--language", "en"])
    let korean = try program.run(options + ["--check-config", "--language", "ko"])

    expect(english.exit, .exited(status: 0))
    #expect(
      english.output.contains(
        "note: The picture folder /no/such/folder does not exist; create it\n"))
    #expect(korean.output.contains("사진을 저장할 폴더가 없습니다: /no/such/folder. 만들어 주세요\n"))
  }
}

import EditorKit
import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PersonalStore
import SafeTextKit
import SellingTestSupport
import TestSupport
import Testing

/// What the palette finds first for words that people would type.
struct PaletteWordsTests {
  nonisolated private static let options = [
    "server", "api", "log", "view", "theme", "pictures", "plain", "cursor", "ascii", "notify",
    "notify-always", "page-size", "restore", "no-password-cache", "language",
  ]

  /// A palette over the list of a market in which one sells and keeps alerts and favorites.
  private func stage() async throws -> Stage {
    let stage = Stage(.list, sells: true)
    let (program, store) = (stage.navigator.program, PersonalFile.inMemory())
    program.personal = store
    program.alerts = AlertScheduler(
      Markets(stage.navigator), store: store, attention: UserPresence(), clock: ManualClock())
    try await stage.show(Product.samples([2, 1]))
    let settings = Self.options.map { name in
      SettingRow(
        .options, .text(form: ""), [name], summary: SafeText("about \(name)"), value: nil)
    }
    stage.navigator.stack.push(PaletteModel(settings: settings))
    return stage
  }

  private func first(of query: String, on stage: Stage, _ language: Language) -> String? {
    let palette = stage.top as? PaletteModel
    palette?.list.clearFilter()
    palette?.edit { $0.paste(query) }
    _ = stage.screen(80, 24, language)
    return palette?.list.selected?.id
  }

  @Test(arguments: Language.allCases)
  func `what a person means comes first`(language: Language) async throws {
    let stage = try await stage()

    for (entry, queries) in language == .english ? Self.english : Self.korean {
      for query in queries.split(separator: " ").map(String.init) {
        expect(first(of: query, on: stage, language), entry, "\(query)")
      }
    }
  }

  @Test func `every name in the table of words is that of something the palette finds`()
    async throws
  {
    let stage = try await stage()
    let names = Set(ViewGraph.market.rows.joined().map(\.name))
    _ = stage.screen(80, 24, .english)
    let found = Set((stage.top as? PaletteModel)?.list.sections.first?.items.map(\.id) ?? [])

    expect(PaletteWords.read().keys.filter { !names.contains($0) && !found.contains($0) }, [])
  }

  /// What is found first, with the words for which it is.
  nonisolated private static let english = [
    "sell": "sell register post",
    "seller": "buy purchase seller contact chat phone",
    "ask": "ask offer message bargain",
    "order": "order sort cheapest",
    "order.cheapest": "price",
    "order.priceDescending": "expensive",
    "order.biggestDiscount": "discount",
    "filter.reduced": "sale",
    "filter": "filter range",
    "filter.inStock": "stock",
    "edit": "change correct",
    "reserve": "reserve unreserve",
    "sold": "sold sellout",
    "alerts": "alert notification",
    "add-alert": "remind track",
    "favorites": "favorite wishlist like heart",
    "search": "search find",
    "history": "history viewed yesterday recent",
    "refresh": "refresh reload",
    "setting.server": "server",
    "settings": "settings preferences options shortcuts",
    "setting.theme": "theme dark color",
    "setting.language": "language korean",
    "setting.ascii": "font",
    "setting.plain": "accessibility",
    "pictures": "photos picture image",
    "copy": "copy share",
    "copy-address": "link url",
    "side-by-side": "side beside",
    "delete": "delete trash",
    "duplicate": "duplicate",
    "undo-edit": "undo revert",
    "my-products": "mine account profile",
    "setting.no-password-cache": "password",
    "forget-password": "logout",
    "shell.export": "backup export",
    "shell.import": "import",
    "help": "help manual",
    "quit": "quit exit",
    "toggle-mouse": "mouse",
    "toggle-view": "grid layout",
    "mark-all-seen": "unread",
  ]

  nonisolated private static let korean = [
    "sell": "팔기 등록 올리기",
    "seller": "구매 사기 연락 연락처 메시지 채팅 전화 판매자",
    "ask": "문의 흥정 네고 제안",
    "order": "정렬",
    "order.cheapest": "가격",
    "order.newest": "최신순",
    "order.biggestDiscount": "할인 세일",
    "filter": "필터 조건",
    "filter.inStock": "재고 품절",
    "alerts": "알림",
    "add-alert": "알려 추적",
    "favorites": "관심 찜 즐겨찾기 좋아요",
    "search": "검색 찾기",
    "history": "기록 최근 어제",
    "refresh": "새로고침 갱신",
    "settings": "설정 환경설정 옵션 단축키",
    "setting.theme": "테마 다크 색상 ㅌㅁ",
    "setting.language": "언어 한국어 영어",
    "setting.ascii": "글꼴",
    "setting.plain": "접근성",
    "pictures": "사진 이미지",
    "copy": "복사 공유",
    "copy-address": "링크",
    "side-by-side": "비교 나란히",
    "edit": "수정 고치기 변경",
    "delete": "삭제 지우기",
    "reserve": "예약 예약중",
    "sold": "판매완료 거래완료",
    "duplicate": "복제",
    "undo-edit": "취소 되돌리기",
    "my-products": "내물건 계정",
    "forget-password": "비밀번호 로그아웃",
    "shell.export": "백업",
    "shell.import": "복원",
    "help": "도움말 사용법 ㄷㅇㅁ",
    "quit": "종료 닫기",
    "toggle-mouse": "마우스",
    "toggle-view": "격자",
    "mark-all-seen": "읽음",
  ]
}

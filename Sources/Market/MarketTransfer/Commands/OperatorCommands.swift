import CommandKit
import MarketModel
import MarketStrings

/// Parsed values of the commands that transfer or administer a market.
package struct OperatorValues: Hashable, Sendable {
  /// Whether an import writes nothing where any line is invalid.
  package var isStrict = false
  /// Whether an existing file may be overwritten.
  package var replaces = false
  /// What an import is told about a table.
  package var table = TableOptions()
  /// Where the files of all pictures are moved.
  package var pictureTarget: PictureDirection?
  /// The number and the name for `admin seller set`; nil where not given.
  package var sellerNumber: Int64?
  package var sellerName: String?
  /// Asker of the listed or deleted questions; nil is all.
  package var asker: Seller.ID?

  package init() {}
}

/// Values of a program that has these commands.
package protocol OperatorCommandValues: CommandValues {
  var operating: OperatorValues { get set }
}

/// Commands that transfer or administer a market, the same in both programs.
package enum OperatorCommands {
  /// The commands of a program, with its options for the market's location.
  package static func all<Values: OperatorCommandValues, Outcome>(
    _ program: String, store: [Option<Values>],
    move: @escaping (TransferRequest, Values) throws(CommandLineError) -> Outcome,
    operate: @escaping (OperatorRequest, Values) throws(CommandLineError) -> Outcome
  ) -> [Subcommand<Values, Outcome>] {
    moving(program, store, move) + selling(program, store, operate)
      + reports(program, store, operate) + [
        Subcommand(
          "admin delete", .groupRun, .usageRemove, takes: .several(productID),
          options: store,
          examples: [
            Example("\(program) admin delete 17", .exampleRemove),
            Example("\(program) admin delete 17 18 19 --store team.sqlite", .exampleRemoveBulk),
          ]
        ) { ids, values throws(CommandLineError) in try operate(.remove(ids), values) },
        Subcommand(
          "admin questions", .groupRun, .usageAdminQuestions, options: [.asker] + store,
          examples: [
            Example("\(program) admin questions", .usageAdminQuestions),
            Example("\(program) admin questions --by 6", .optionAsker),
          ]
        ) { values throws(CommandLineError) in
          try operate(.listQuestions(by: values.operating.asker), values)
        },
        Subcommand(
          "admin questions delete", .groupRun, .usageAdminQuestionsDelete,
          takes: .anyNumber(questionID), options: [.asker] + store,
          examples: [
            Example("\(program) admin questions delete 7 8", .usageAdminQuestionsDelete),
            Example("\(program) admin questions delete --by 6", .optionAsker),
          ]
        ) { ids, values throws(CommandLineError) in
          let asker = values.operating.asker
          if ids.isEmpty, asker == nil { throw .missingArgument("admin questions delete ID...") }
          return try operate(.removeQuestions(ids, by: asker), values)
        },
        Subcommand(
          "admin password", .groupRun, .usageAdminPassword,
          takes: .one(productID),
          options: store,
          examples: [
            Example("\(program) admin password 17 < password.txt", .exampleAdminPassword),
            Example(
              "\(program) admin password 17 --store team.sqlite < password.txt",
              .exampleAdminPasswordStore),
          ]
        ) { id, values throws(CommandLineError) in try operate(.setPassword(id), values) },
        Subcommand(
          "admin pictures move", .groupRun, .usagePicturesMove, options: [.pictureTarget] + store,
          examples: [
            Example(
              "MARKET_PICTURES=/srv/pictures \(program) admin pictures move --to storage",
              .examplePicturesOut),
            Example(
              "MARKET_PICTURES=/srv/pictures \(program) admin pictures move --to store",
              .examplePicturesIn),
          ]
        ) { values throws(CommandLineError) in
          guard let direction = values.operating.pictureTarget else {
            throw .missingArgument(Option<Values>.pictureTarget.usage)
          }
          return try operate(.movePictures(direction), values)
        },
      ]
  }

  private static func moving<Values: OperatorCommandValues, Outcome>(
    _ program: String, _ store: [Option<Values>],
    _ move: @escaping (TransferRequest, Values) throws(CommandLineError) -> Outcome
  ) -> [Subcommand<Values, Outcome>] {
    func command(
      _ task: TransferRequest.Task, _ summary: Phrase, _ options: [Option<Values>],
      _ examples: [Example]
    ) -> Subcommand<Values, Outcome> {
      Subcommand(
        task.rawValue, .groupRun, summary, takes: .one(.file()), options: options + store,
        examples: examples
      ) { path, values throws(CommandLineError) in
        var order = TransferRequest(task, path)
        order.isStrict = values.operating.isStrict
        order.replaces = values.operating.replaces
        order.table = values.operating.table
        return try move(order, values)
      }
    }
    return [
      command(
        .importProducts, .usageImport, [.strict] + Option.ofTables,
        [
          Example("\(program) import products.csv --strict", .exampleImport),
          Example(
            "\(program) import list.csv --column name=Model --currency USD", .exampleImportTable),
        ]),
      command(
        .exportProducts, .usageExport, [.replace],
        [
          Example("\(program) export market.ndjson", .exampleExport),
          Example("\(program) export products.csv --overwrite", .exampleExportTable),
        ]),
      command(
        .backup, .usageBackup, [.replace],
        [
          Example("\(program) backup market-backup.sqlite", .exampleBackup),
          Example("\(program) backup market-backup.sqlite --overwrite", .exampleBackupReplace),
        ]),
    ]
  }

  private static func reports<Values: OperatorCommandValues, Outcome>(
    _ program: String, _ store: [Option<Values>],
    _ operate: @escaping (OperatorRequest, Values) throws(CommandLineError) -> Outcome
  ) -> [Subcommand<Values, Outcome>] {
    func command(
      _ action: OperatorRequest.ReportAction, _ summary: Phrase
    ) -> Subcommand<Values, Outcome> {
      let words = "admin reports \(action.rawValue)"
      return Subcommand(
        words, .groupRun, summary, takes: .several(reportID), options: store,
        examples: [
          Example("\(program) \(words) 7", summary),
          Example("\(program) \(words) 7 8 --store team.sqlite", summary),
        ]
      ) { ids, values throws(CommandLineError) in try operate(.reports(action, ids), values) }
    }
    return [
      Subcommand(
        "admin reports", .groupRun, .usageAdminReports, options: store,
        examples: [
          Example("\(program) admin reports", .usageAdminReports),
          Example("\(program) admin reports --store team.sqlite", .usageAdminReports),
        ]
      ) { values throws(CommandLineError) in try operate(.reports(.list, []), values) },
      command(.delete, .usageAdminReportsDelete), command(.block, .usageAdminReportsBlock),
      command(.dismiss, .usageAdminReportsDismiss),
    ]
  }

  private static func selling<Values: OperatorCommandValues, Outcome>(
    _ program: String, _ store: [Option<Values>],
    _ operate: @escaping (OperatorRequest, Values) throws(CommandLineError) -> Outcome
  ) -> [Subcommand<Values, Outcome>] {
    func command(
      _ isBlocked: Bool, _ name: String, _ summary: Phrase, _ examples: [Example]
    ) -> Subcommand<Values, Outcome> {
      Subcommand(
        name, .groupRun, summary, takes: .one(sellerID), options: store,
        examples: examples
      ) { id, values throws(CommandLineError) in
        try operate(.setBlocked(isBlocked, id), values)
      }
    }
    return [
      Subcommand(
        "admin seller set", .groupRun, .usageSellerSet,
        options: [.sellerNumber, .sellerName] + store,
        examples: [
          Example(
            "\(program) admin seller set --id 6 --name Hana < identifier.txt", .exampleSellerSet),
          Example(
            "\(program) admin seller set --store team.sqlite < identifier.txt", .exampleSellerShow),
        ]
      ) { values throws(CommandLineError) in
        let number = values.operating.sellerNumber.map(Seller.ID.init(rawValue:))
        return try operate(.setSeller(number: number, name: values.operating.sellerName), values)
      },
      command(
        true, "admin seller block", .usageSellerBlock,
        [
          Example("\(program) admin seller block 6", .exampleSellerBlock),
          Example("\(program) admin seller block 0", .exampleGuestBlock),
        ]),
      command(
        false, "admin seller unblock", .usageSellerUnblock,
        [
          Example("\(program) admin seller unblock 6", .exampleSellerUnblock),
          Example("\(program) admin seller unblock 0", .exampleGuestUnblock),
        ]),
    ]
  }

  package static var questionID: ValueKind<Question.ID> {
    number("ID", Question.ID.init).expecting(.expectedQuestion)
  }

  private static var reportID: ValueKind<Report.ID> {
    number("ID", Report.ID.init).expecting(.expectedReport)
  }

  private static var productID: ValueKind<Product.ID> {
    number("ID", Product.ID.init).expecting(.expectedProduct)
  }

  fileprivate static var sellerID: ValueKind<Seller.ID> {
    number("ID", Seller.ID.init).expecting(.expectedSeller)
  }

  /// Kind of a value that is an id of at least 0.
  private static func number<ID: RawRepresentable<Int64>>(
    _ placeholder: String, _ make: @escaping (Int64) -> ID
  ) -> ValueKind<ID> {
    ValueKind(
      placeholder, read: { Int64($0).flatMap { $0 >= 0 ? make($0) : nil } },
      written: { String($0.rawValue) })
  }
}

extension Option where Values: OperatorCommandValues {
  package static var strict: Option {
    .flag("--strict", .optionStrict) { $0.operating.isStrict = true }
  }
  /// Options about what a table does not say.
  fileprivate static var ofTables: [Option] {
    [
      .value("--column", .optionColumn, .tableColumn, isRepeated: true) {
        $0.operating.table.columns.append($1)
      },
      .value(
        "--currency", .optionTableCurrency,
        .coded("CODE", StorageRules.currencies.map(\.rawValue)) {
          (try? Amount(reading: "1" + $0))?.currency
            .flatMap { StorageRules.currencies.contains($0) ? $0 : nil }
        },
        to: \.operating.table.currency),
      .value(
        "--stock", .optionTableStock, .number("N", in: StorageRules.stock),
        to: \.operating.table.stock),
      .value(
        "--category", .optionTableCategory,
        .coded("WORD", ProductCategory.names) {
          TableChoices.category.code(of: $0).flatMap(ProductCategory.init)
        }, to: \.operating.table.category),
      .value(
        "--condition", .optionTableCondition,
        .coded("WORD", ProductCondition.names) {
          TableChoices.condition.code(of: $0).flatMap(ProductCondition.init)
        }, to: \.operating.table.condition),
      .value(
        "--place", .optionTablePlace, .word("TEXT") { TextLimit.place.allows($0) },
        to: \.operating.table.place),
      .value(
        "--encoding", .optionEncoding,
        .coded("NAME", TextEncoding.allCases.map(\.rawValue), TextEncoding.init(named:)),
        to: \.operating.table.encoding),
      .value("--unknown-choices", .optionUnknownChoices, .oneOf(["drop"])) { values, _ in
        values.operating.table.dropsUnknownChoices = true
      },
      .flag("--fetch-photos", .optionFetchPhotos) { $0.operating.table.fetchesPhotos = true },
    ]
  }
  package static var replace: Option {
    .flag("--overwrite", .optionReplace) { $0.operating.replaces = true }
  }
  fileprivate static var pictureTarget: Option {
    .value("--to", .optionPictureTarget, .pictureTarget, to: \.operating.pictureTarget)
  }
  fileprivate static var sellerNumber: Option {
    .value("--id", .optionID, .number("N", in: Seller.ID.assignable), to: \.operating.sellerNumber)
  }
  fileprivate static var asker: Option {
    .value("--by", .optionAsker, OperatorCommands.sellerID, to: \.operating.asker)
  }
  fileprivate static var sellerName: Option {
    .value(
      "--name", ProductField.sellerName.optionPhrase, .text("NAME"), to: \.operating.sellerName)
  }
}

extension ValueKind {
  /// Value of a list of words, which may also be spelled otherwise.
  fileprivate static func coded(
    _ placeholder: String, _ words: [String], _ read: @escaping (String) -> Value?
  ) -> ValueKind where Value: RawRepresentable<String> {
    ValueKind(
      placeholder, expected: words.joined(separator: "|"), suggestions: .words(words),
      read: { word in
        words.first { $0.lowercased() == word.lowercased() }.flatMap(Value.init) ?? read(word)
      }, written: \.rawValue)
  }
}

extension ValueKind<TableOptions.Column> {
  /// `FIELD=HEADING`, the name of a column and its heading in the table.
  fileprivate static var tableColumn: ValueKind {
    let names = TableColumn.all.map(\.name)
    return ValueKind(
      "FIELD=HEADING", expected: "FIELD=HEADING", suggestions: .words(names.map { $0 + "=" }),
      read: { word in
        guard let mark = word.firstIndex(of: "=") else { return nil }
        let heading = word[word.index(after: mark)...]
        guard let column = TableColumn(named: String(word[..<mark])),
          heading.contains(where: { !$0.isWhitespace })
        else { return nil }
        return TableOptions.Column(name: column.name, heading: String(heading))
      }, written: { "\($0.name)=\($0.heading)" }
    ).expecting(.expectedColumn, names.joined(separator: ", "))
  }
}

extension ValueKind<PictureDirection> {
  fileprivate static var pictureTarget: ValueKind {
    let targets = PictureDirection.allCases.map(\.target)
    return ValueKind(
      targets.joined(separator: "|"), suggestions: .words(targets),
      read: { word in PictureDirection.allCases.first { $0.target == word } }, written: \.target)
  }
}

extension PictureDirection {
  /// Name of the direction on the command line.
  var target: String {
    switch self {
    case .outward: "storage"
    case .inward: "store"
    }
  }
}

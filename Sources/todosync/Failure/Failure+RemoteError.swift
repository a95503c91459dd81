internal import TodoModel
internal import Values

extension Failure {
    init(_ error: RemoteError) {
        let words = visible("\(error)")
        switch error {
        case .store(let error): self.init(remote: error)
        case .unreachable, .unanswered, .overloaded, .refused, .redirected:
            self.init(.remoteUnavailable, words, hint: Self.laterHint)
        case .badResponse:
            self.init(
                .remoteUnavailable, words,
                hint: "nothing is lost; ask the server's administrator, or set a different URL")
        case .badURL:
            self.init(.configuration, "the remote can't be used: \(words)", hint: Self.urlHint)
        case .noSuchTable:
            self.init(FailureCode.noSuchTable, "the remote can't be used: \(words)", hint: Self.urlHint)
        case .withoutHTTP: self.init(.configuration, words, hint: Advice.withoutHTTP)
        case .badVariable:
            self.init(
                .configuration, "the remote can't be used: \(words)",
                hint: "correct the variable, or unset it")
        case .notAllowed(let problem): self.init(problem)
        case .untrusted(let server):
            self.init(
                FailureCode.untrusted, "\(words); nothing was sent to it",
                hint:
                    "if you know who runs it, run \"todosync trust \(visible(server))\" to push and pull there"
            )
        case .otherHistory:
            self.init(FailureCode.otherHistory, "the remote's history is not the same as before")
        }
    }

    /// Creates the failure for a remote that is a store on this machine.
    private init(remote error: StoreError) {
        let words = visible("\(error)")
        switch error {
        case .notFound:
            self.init(
                .remoteUnavailable, "the remote can't be reached: \(words)",
                hint:
                    "nothing is lost; check that the path is right and its disk is mounted, "
                    + "or run \"todosync init --bare DIR\" to create a store"
            )
        case .busy:
            self.init(.remoteUnavailable, "the remote can't be reached: \(words)", hint: Self.laterHint)
        case .moving:
            self.init(
                .remoteUnavailable, "the remote can't be reached: \(words)",
                hint: "nothing is lost; \(Advice.movingStore)")
        case .cannotLock:
            self.init(
                .remoteUnavailable, "the remote can't be reached: \(words)",
                hint: "nothing is lost; \(Advice.unlockedStore)")
        case .damaged:
            self.init(.configuration, "the remote can't be used: \(words)", hint: Advice.damagedStore)
        case .moved(_, let location):
            self.init(
                .configuration, "the remote can't be used: \(words)",
                hint: location.contains("://")
                    ? "ask for the URL of a server there, and run \"todosync remote set-url origin URL\""
                    : "run \"todosync remote set-url origin \(shellQuoted(visible(location)))\"")
        case .unsupportedFormat(_, let found, let supported):
            self.init(
                .configuration, "the remote can't be used: \(words)",
                hint: Advice.unsupportedStore(found, supported))
        case .notAStore, .folderNotEmpty, .lost, .unfinishedCopy, .database:
            self.init(.configuration, "the remote can't be used: \(words)", hint: Self.urlHint)
        case .diskFull, .notPermitted, .readOnly, .inputOutput:
            self.init(
                .cannotReadOrWrite, "the remote can't be read or written: \(words)",
                hint: "nothing is lost; \(Advice.afterFault(error.code))")
        }
    }

    private init(_ problem: KeyProblem) {
        let words = visible("\(problem)")
        switch problem {
        case .unknown(let url, _):
            self.init(
                .notAllowed, "the remote refused access: \(words)",
                hint: "run \"todosync remote login \(shellQuoted(visible(url)))\" to save a key for it")
        case .insufficient(_, let needed, _):
            self.init(
                .notAllowed, "the remote refused access: \(words)",
                hint: "ask the server's administrator for a key with \(visible(needed.words))")
        case .malformed(let url):
            self.init(
                .configuration, "the key can't be used: \(words)",
                hint: "run \"todosync remote login \(shellQuoted(visible(url)))\" to save a different one")
        case .exposed:
            self.init(
                .configuration, "the key can't be used: \(words)",
                hint: "run \"todosync remote set-url origin URL\" with an https URL")
        }
    }

    private static let laterHint = "nothing is lost; try again when the remote can be reached"
    private static let urlHint =
        "check the URL; \"todosync remote set-url origin URL\" changes the recorded one"
}

extension TableAccess {
    fileprivate var words: String {
        switch self {
        case .read(let table): "read access to the table \(table)"
        case .write(let table): "write access to the table \(table)"
        }
    }
}

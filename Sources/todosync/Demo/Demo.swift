/// The tutorial's story, played with the real commands.
struct Demo {
    let session: Session
    /// The folder that all happens in; absolute.
    let folder: String
    /// The folder as the user typed it.
    let typedFolder: String

    private static let file = "hello-world-3.yaml"

    /// Plays the story up to the conflict, which is left to the user.
    func play() throws {
        defer { try? changeDirectory(to: session.currentDirectory) }
        try scene("A store and two working directories: a phone and a laptop.")
        try enter("", shownAs: typedFolder)
        try type(["init", "--bare", "store"])
        try type(["clone", "store", "phone"])
        try type(["clone", "store", "laptop"])
        try scene("The phone adds a todo, and the laptop gets it.")
        try enter("phone", shownAs: "phone")
        try type(["add", "Hello world 3"])
        try type(["push"])
        try enter("laptop", shownAs: "../laptop")
        try type(["pull"])
        try scene("Both change it, and the laptop pushes first.")
        try type(["set", Self.file, "text=Hello world 23"])
        try type(["push"])
        try enter("phone", shownAs: "../phone")
        try type(["set", Self.file, "text=Hello world 13"])
        try scene("No rule can choose between the two, so the phone's push leaves it to you.")
        try type(["push"])
        try printFile()
        try scene(
            """
            Now it is your turn:
              cd \(shellQuoted(typedFolder))/phone
              todosync status
              todosync edit \(Self.file)    # keep what you want, without the markers
              todosync resolve
              todosync push
            Instead of editing, \"todosync resolve --use local\" or \"--use remote\" takes one side.
            """)
    }

    private func scene(_ text: String) throws {
        try session.show("\n\(text)\n\n")
    }

    private func enter(_ name: String, shownAs typed: String) throws {
        try changeDirectory(to: name.isEmpty ? folder : folder + "/" + name)
        try session.show("$ cd \(shellQuoted(typed))\n")
    }

    private func type(_ arguments: [String]) throws {
        try session.show("$ \(commandLine(arguments))\n")
        let status = Interpreter(process: session.process).run(arguments)
        guard status == .done || status == .needsUser else {
            throw Failure(
                status, "the demo can't continue", hint: "run \"todosync demo DIR\" to try another folder")
        }
    }

    private func printFile() throws {
        try session.show("$ cat \(Self.file)\n")
        try session.show(visibleLines(readFile(folder + "/phone/" + Self.file)))
    }
}

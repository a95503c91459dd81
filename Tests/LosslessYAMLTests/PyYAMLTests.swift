import Foundation
import LosslessYAML
import TestSupport
import Testing

/// Compares parsed values with PyYAML's under the 1.2 core schema.
@Suite struct `Values read equal PyYAML's` {
    /// Reads texts, one JSON string per line, and writes their values with types as JSON.
    private static let script = #"""
        import json, re, sys, yaml
        class Core(yaml.SafeLoader):
            yaml_implicit_resolvers = {}
            def compose_node(self, parent, index):
                # YAML lets an anchor's name be given again; PyYAML alone does not.
                if not self.check_event(yaml.AliasEvent):
                    self.anchors.pop(self.peek_event().anchor, None)
                return super().compose_node(parent, index)
        def implicit(tag, pattern, first):
            Core.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile("^(?:" + pattern + ")$"), first)
        implicit("null", "~|null|Null|NULL|", ["~", "n", "N", ""])
        implicit("bool", "true|True|TRUE|false|False|FALSE", list("tTfF"))
        implicit("int", "[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789"))
        implicit("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", list("-+0123456789."))
        def integer(loader, node):
            text = node.value
            base = {"0x": 16, "0o": 8}.get(text[:2], 10)
            return ("n", str(int(text[2:] if base != 10 else text, base)))
        def decimal(loader, node):
            sign, digits, rest = re.match(r"([-+]?)([0-9.]+)(.*)", node.value).groups()
            whole, _, fraction = digits.partition(".")
            whole = whole.lstrip("0") or "0"
            return ("n", ("-" if sign == "-" else "") + whole + ("." + fraction if fraction else "") + rest)
        Core.add_constructor("tag:yaml.org,2002:int", integer)
        Core.add_constructor("tag:yaml.org,2002:float", decimal)
        def plain(value):
            if isinstance(value, tuple): return {"n": value[1]}
            if isinstance(value, list): return [plain(item) for item in value]
            if isinstance(value, dict): return {"m": [[key, plain(item)] for key, item in value.items()]}
            return value
        for line in sys.stdin:
            try: print(json.dumps(plain(yaml.load(json.loads(line), Loader=Core))))
            except yaml.YAMLError as error: print(json.dumps("refused: %s" % error))
        """#

    private static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
        FileManager.default.isExecutableFile(atPath: path)
            && (try? run(path, ["-c", "import yaml"], input: Data())) != nil
    }

    @Test(.enabled(if: python != nil, "no python3 with PyYAML is there to compare with"))
    func `for random documents and for written ones`() throws {
        var texts: [[UInt8]] = []
        for seed in propertySeeds {
            var random = RandomYAML(seed: seed)
            texts.append(random.document())
            texts.append(emit(random.mapping()))
        }
        let lines = try texts.map { try JSONEncoder().encode(String(decoding: $0, as: UTF8.self)) }
        let input = Data(lines.joined(separator: Data("\n".utf8)))
        let output = try Self.run(try #require(Self.python), ["-c", Self.script], input: input)
        let values = output.split(separator: UInt8(ascii: "\n"))
        try #require(values.count == texts.count)
        for (text, line) in zip(texts, values) {
            let expected = Self.value(
                try JSONSerialization.jsonObject(with: line, options: .fragmentsAllowed))
            #expect(
                .mapping(try Document(parsing: text).fields) == expected,
                "\(String(decoding: text, as: UTF8.self))")
        }
    }

    /// Strings that PyYAML's own schema (YAML 1.1) reads as something else, and strings that look like these.
    private static let lookalikes =
        ["yes", "No", "ON", "off", "0o7", "0777", "1_000", "0b11", "0x_f", "12:30", "190:20:30.15", "+1:2:3"]
        + [
            "-1_0.5", "._5", "1_0.5e+3", "1.5_", "=", "<<", "~", "", ".inf", "12:61", "1.2.3", "v1",
            "yesterday",
        ]
        + ["-", "+", ".", "-_", "0x", "0b2", "1e", "_1", "1:", ":1", "1:2x", "--1"]

    @Test(.enabled(if: python != nil, "no python3 with PyYAML is there to compare with"))
    func `a YAML 1.1 reader reads every written string as a string`() throws {
        let script = #"""
            import datetime, json, sys, yaml
            for line in sys.stdin:
                value = yaml.safe_load(json.loads(line))["x"]
                print(json.dumps(str(value) if isinstance(value, datetime.date) else value))
            """#
        let alphabet = Array("00112569__::..+-eExbyYnNoOaf,=<~")
        let strings =
            Self.lookalikes
            + propertySeeds.prefix(4000).map { seed in
                var random = SplitMix64(seed: seed)
                return String(
                    (0..<Int.random(in: 1...7, using: &random)).map { _ in
                        alphabet.randomElement(using: &random) ?? "0"
                    })
            }
        let texts = strings.map { emit(["x": .string($0)]) }
        let lines = try texts.map { try JSONEncoder().encode(String(decoding: $0, as: UTF8.self)) }
        let input = Data(lines.joined(separator: Data("\n".utf8)))
        let output = try Self.run(try #require(Self.python), ["-c", script], input: input)
        let values = output.split(separator: UInt8(ascii: "\n"))
        try #require(values.count == strings.count)
        for ((string, text), line) in zip(zip(strings, texts), values) {
            let expected = try JSONSerialization.jsonObject(with: line, options: .fragmentsAllowed)
            #expect(expected as? String == string, "\(String(decoding: text, as: UTF8.self))")
        }
    }

    private static func value(_ json: Any) -> Value {
        switch json {
        case let string as String: return .string(string)
        case let list as [Any]: return .list(list.map(value))
        case let number as [String: String]: return number["n"].map { .json($0) } ?? .null
        case let mapping as [String: [[Any]]]:
            return .mapping(
                Mapping((mapping["m"] ?? []).map { (key: $0[0] as? String ?? "", value: value($0[1])) }))
        case let bool as Bool: return .bool(bool)
        default: return .null
        }
    }

    private struct Failure: Error {
        let status: Int32
        let words: String
    }

    private static func run(_ path: String, _ arguments: [String], input: Data) throws -> Data {
        let ended = try ChildProcess.run([path] + arguments, input: Array(input))
        guard ended.status == 0 else {
            throw Failure(status: ended.status, words: String(decoding: ended.errors, as: UTF8.self))
        }
        return Data(ended.output)
    }
}

internal import LosslessYAML
internal import Remotes
internal import TodoModel
internal import Values

/// A request that writes one record, and the options for its response.
struct WriteCall: Sendable {
    let table: TableName
    let write: RecordWrite
    var flavor: Flavor { call.flavor }
    private let call: Call
    private let systemProperties: SystemProperties
    /// Whether the condition is the `version` in the body: v2 clients leave it in their records.
    private var conditionIsInBody = false

    init(_ call: Call, store: Store) throws(Refusal) {
        self.call = call
        table = try call.table()
        let sent = try Self.sentRecord(of: call)
        systemProperties = try RequestOptions(call.parameters, call.endpoint, call.flavor).systemProperties
        let operationID = try Self.operationID(call.headers)
        let condition: RecordWrite.Condition
        if call.endpoint == .insert {
            condition = .none
        } else if let version = sent?.version, call.headers["if-match"] == nil {
            condition = .version(version)
            conditionIsInBody = true
        } else {
            condition = try RecordWrite.Condition(call.headers)
        }
        let id =
            try Self.id(of: call, sent)
            ?? store.newID(table: table, operationID: operationID)
        if let problem = TodoID.problem(with: id) { throw .malformed("The id is not valid: \(problem).") }
        write = RecordWrite(
            id: id, change: Self.change(call.endpoint, sent), condition: condition, operationID: operationID)
    }

    private static func change(_ endpoint: Endpoint, _ sent: SentRecord?) -> RecordWrite.Change {
        guard let sent else { return endpoint == .delete ? .delete : .undelete }
        switch endpoint {
        case .insert: return .insert(fields: sent.fields, layout: sent.layout)
        case .replace: return .replace(fields: sent.fields, layout: sent.layout)
        default: return .merge(fields: sent.fields, layout: sent.layout)
        }
    }
}

// MARK: - Request

extension WriteCall {
    /// Returns the record in the body; nil if the endpoint doesn't take one.
    private static func sentRecord(of call: Call) throws(Refusal) -> SentRecord? {
        switch call.endpoint {
        case .delete: return nil
        case .undelete:
            let body = try call.body.value()
            // A record in the body is meant for a different URL. Ignoring it would suggest that it was
            // written.
            guard body == nil || (call.flavor == .v2 && body == .mapping([:])) else {
                throw .malformed("A request to undelete an item can't have a body.")
            }
            return nil
        default: return try SentRecord(call.body.mapping(), call.endpoint, call.flavor)
        }
    }

    /// Returns the id in the request; nil if the server chooses one.
    private static func id(of call: Call, _ sent: SentRecord?) throws(Refusal) -> String? {
        switch (call.endpoint, sent?.id) {
        case (.insert, nil), (.insert, .null?): return nil
        case (.insert, .string("")?) where call.flavor == .v1: return nil
        case (.insert, .string(let id)?): return id
        case (.updateByBody, .string(let id)?) where call.flavor == .v2: return id
        case (.updateByBody, nil) where call.flavor == .v2,
            (.updateByBody, .null?) where call.flavor == .v2:
            throw .malformed("The id of the item to update is missing in the body.")
        case (.updateByBody, _) where call.flavor == .v1:
            throw .malformed("The id of the item to update is missing in the URL.")
        case (_, nil): return call.id
        case (_, .string(let id)?):
            guard id.isSameBytes(as: call.id) else {
                throw .malformed("The id in the body differs from the one in the URL.")
            }
            return id
        default: throw .malformed("The id is not a string.")
        }
    }

    /// Parses `Idempotency-Key`.
    private static func operationID(_ headers: Headers) throws(Refusal) -> String? {
        let values = headers.values("idempotency-key")
        guard let value = values.first else { return nil }
        guard values.count == 1, (1...255).contains(value.utf8.count),
            value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            throw .malformed("Idempotency-Key must occur once and have 1 to 255 printable ASCII characters.")
        }
        return value
    }
}

// MARK: - Response

extension WriteCall {
    func response(to answer: WriteAnswer) -> TablesResponse {
        switch answer {
        case .done(let record): return success(record.record.version, record)
        case .repeated(let version, let record):
            var response = success(version, record)
            response.headers["Idempotency-Replayed"] = "true"
            return response
        case .exists(let record):
            return conflict(
                409, record, message: "Could not insert the item because an item with that id already exists."
            )
        case .conditionFailed(let record):
            return conflict(
                conditionIsInBody ? 409 : 412, record, message: "The item has a different version.")
        case .notFound: return Refusal.noSuchRecord(write.id).response(call.flavor)
        case .refused(let status, let message): return Refusal(status, message).response(call.flavor)
        }
    }

    /// Returns the response to a successful write.
    ///
    /// - Parameter version: The version that the write created; the record can have a newer version now.
    private func success(_ version: Version, _ record: StoredRecord) -> TablesResponse {
        var response = TablesResponse(status: call.endpoint == .insert ? 201 : 200)
        let view = RecordView(flavor: call.flavor, systemProperties: systemProperties)
        let hasBody = call.endpoint != .delete && !call.preferences.isMinimal
        if !hasBody || view.showsETag(call.headers) { response.headers["ETag"] = EntityTag.text(version) }
        if call.endpoint == .insert { response.headers["Location"] = call.url(id: write.id) }
        if !hasBody {
            response.status = 204
            // If the batch asked for a minimal response, the header isn't repeated in each of its responses.
            if Preferences(call.headers).isMinimal {
                response.headers["Preference-Applied"] = "return=minimal"
            }
            return response
        }
        if record.record.version == version {
            view.write(record, to: &response.body)
        } else {
            var members: Mapping = [FieldName.id: .string(write.id)]
            if view.showsVersion { members[view.name("version")] = .string(version.string) }
            JSON.write(.mapping(members), to: &response.body)
        }
        return response
    }

    /// Returns a conflict with the current record, so that the client can merge.
    ///
    /// A 409 in v1 also has the members of an error, because v1 clients read the message.
    private func conflict(_ status: Int, _ record: StoredRecord, message: String) -> TablesResponse {
        var response = TablesResponse(status: status)
        response.headers["ETag"] = EntityTag.text(record.record.version)
        var record = record
        if status == 409, call.flavor == .v1 {
            for (key, value) in Refusal(status, message).members(.v1).entries
            where record.record.fields[key] == nil {
                record.record.fields[key] = value
            }
        }
        RecordView.whole(call.flavor).write(record, to: &response.body)
        return response
    }
}

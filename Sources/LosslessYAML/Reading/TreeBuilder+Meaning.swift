internal import CLibYAML

/// Resolves scalars and tags to values.
extension TreeBuilder {
    func resolveScalar() throws(YAMLError) -> Value {
        let scalar = events.event.pointee.data.scalar
        let text = UnsafeRawBufferPointer(start: scalar.value, count: scalar.length)
            .assumingMemoryBound(to: UInt8.self)
        let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
        let tag = events.tag
        let value: Value?
        do throws(CoreSchema.Fault) {
            if let tag {
                value = try CoreTag(tag)?.resolve(text)
            } else {
                value =
                    isPlain ? try CoreSchema.resolve(text) : .string(String(decoding: text, as: UTF8.self))
            }
        } catch {
            throw self.error(error == .notFinite ? .notFinite : .numberTooLarge, at: events.start)
        }
        guard let value else { throw error(.tag(tag ?? ""), at: events.start) }
        return value
    }

    func checkTag(_ kind: CoreTag) throws(YAMLError) {
        guard let tag = events.tag else { return }
        let read = CoreTag(tag)
        guard read == kind || read == .nonSpecific else { throw error(.tag(tag), at: events.start) }
    }

    func checkDepth(_ surroundings: Surroundings) throws(YAMLError) {
        guard surroundings.depth <= Limits.depth else { throw error(.tooDeep, at: events.start) }
    }
}

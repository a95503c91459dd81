internal import Platform

/// Returns the folder of the store that is at a path or contains it; nil if there isn't one.
package func storeFolder(around path: String) -> String? {
    var folder = path[...]
    while !folder.isEmpty {
        var status = stat()
        if stat("\(folder)/\(StoreSchema.fileName)", &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            return String(folder)
        }
        folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
    }
    return nil
}

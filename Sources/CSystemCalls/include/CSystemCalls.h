#ifndef CSYSTEM_H
#define CSYSTEM_H

// System calls that Swift's C library module does not show, or shows only as variadic functions.

/// Exchanges two directory entries atomically; -1 and errno (EINVAL, ENOSYS where not supported).
int csystem_rename_exchange(int from_directory, const char *from, int to_directory, const char *to);

/// Renames only if nothing has the new name; -1 and errno (EEXIST where something has).
int csystem_rename_no_replace(int from_directory, const char *from, int to_directory, const char *to);

/// Makes all that was written to the file system of `descriptor` durable.
int csystem_sync_file_system(int descriptor);

/// Makes the content and length of a file durable, not its times.
int csystem_sync_content(int descriptor);

#endif

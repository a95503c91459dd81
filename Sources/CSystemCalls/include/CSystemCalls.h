#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stddef.h>
#include <stdint.h>

// System calls that Swift can't make (because its C library module lacks them or they are variadic), the
// signal handlers, and the one loop that needs special processor instructions.

/// Exchanges two directory entries atomically. Returns -1 and sets errno on failure (EINVAL or ENOSYS if the
/// file system doesn't support it).
int csystem_rename_exchange(int from_directory, const char *from, int to_directory, const char *to);

/// Renames a file if the new name is free. Returns -1 and sets errno on failure (EEXIST if the name is
/// taken).
int csystem_rename_no_replace(int from_directory, const char *from, int to_directory, const char *to);

/// Synchronizes all writes to the file system of `descriptor` to disk.
int csystem_sync_file_system(int descriptor);

/// Synchronizes a file's content and length to disk, but not its times.
int csystem_sync_content(int descriptor);

/// Returns whether new files in an open directory inherit an access control list from it. The result is
/// always 0 except on Linux.
int csystem_has_default_access_list(int directory);

/// Call flistxattr, fgetxattr, fsetxattr and fremovexattr for a file's extended attributes. Available only on
/// Linux.
long csystem_list_attributes(int file, char *names, size_t size);
long csystem_read_attribute(int file, const char *name, void *value, size_t size);
int csystem_write_attribute(int file, const char *name, const void *value, size_t size);
int csystem_remove_attribute(int file, const char *name);

/// Fills a buffer with entries of an open directory, as getdents64 does. Returns the number of bytes, 0 at
/// the end, or -1 with errno set. Available only on Linux.
long csystem_read_directory(int descriptor, void *buffer, size_t size);

/// The commit that the program was built from, and its date; empty unless the variables TODOSYNC_COMMIT
/// and TODOSYNC_DATE were set when it was built.
const char *csystem_build_commit(void);
const char *csystem_build_date(void);

/// Tries the system calls that an event loop needs (epoll, eventfd, timerfd). Returns 0, or the errno of the
/// call that failed. The result is always 0 except on Linux.
int csystem_event_error(void);

/// Returns the words that the process was started with, followed by a null pointer; a null pointer if the C
/// library doesn't provide them.
const char *const *csystem_words(void);

/// Removes what the start of the process without /proc added to the environment.
void csystem_finish_start(void);

/// Makes a static program look up hosts in /etc/hosts and with DNS only, and users in /etc/passwd only.
///
/// The modules that /etc/nsswitch.conf names, such as mdns4_minimal, belong to one version of the C library. A
/// static program has its own, and crashes if it loads a module of a different one.
void csystem_look_up_names_without_modules(void);

/// Makes the allocator request memory from the system in large steps. Pages that are never used cost nothing.
///
/// By default, glibc's allocator grows a thread's memory one page at a time, with a system call that stalls
/// all threads.
void csystem_grow_memory_in_large_steps(void);

/// Makes SIGHUP, SIGINT and SIGTERM end the process at once, with status 128 plus the signal's number.
///
/// A signal that was ignored when the process started stays ignored.
void csystem_handle_endings(void);

/// Makes the handlers only record the first of these signals from now on, so that the process can exit
/// cleanly.
///
/// The process ends on the second signal, or 1.75 seconds after the first. A repeat of the same signal within
/// a tenth of a second doesn't count.
void csystem_hold_endings(void);

/// Records whether standard error ends with a line that the handlers erase before the process ends.
void csystem_set_passing_line(int is_there);

/// Returns the number of the signal that asked the process to end; 0 if there wasn't one.
int csystem_ending(void);

/// Returns whether the processor has the instructions that `csystem_crc32` needs.
int csystem_has_crc32(void);

/// Continues a CRC-32 (ISO 3309) with more bytes. The remainder is bit-reversed and not inverted.
///
/// `count` must be a multiple of 16 and at least 64.
uint32_t csystem_crc32(uint32_t remainder, const void *bytes, size_t count);

#endif

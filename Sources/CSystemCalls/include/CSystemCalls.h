#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stddef.h>
#include <stdint.h>

// System calls that Swift's C library module does not show, or shows only as variadic functions; what runs in
// signal handlers; and the one loop that needs instructions that Swift has no words for.

/// Exchanges two directory entries atomically; -1 and errno (EINVAL, ENOSYS where not supported).
int csystem_rename_exchange(int from_directory, const char *from, int to_directory, const char *to);

/// Renames only if nothing has the new name; -1 and errno (EEXIST where something has).
int csystem_rename_no_replace(int from_directory, const char *from, int to_directory, const char *to);

/// Makes all that was written to the file system of `descriptor` durable.
int csystem_sync_file_system(int descriptor);

/// Makes the content and length of a file durable, not its times.
int csystem_sync_content(int descriptor);

/// Whether what is made in an open directory gets an access control list from it. Linux only; else 0.
int csystem_has_default_access_list(int directory);

/// The calls for a file's extended attributes, as flistxattr, fgetxattr, fsetxattr and fremovexattr. Linux only.
long csystem_list_attributes(int file, char *names, size_t size);
long csystem_read_attribute(int file, const char *name, void *value, size_t size);
int csystem_write_attribute(int file, const char *name, const void *value, size_t size);
int csystem_remove_attribute(int file, const char *name);

/// Fills a buffer with entries of an open directory as getdents64 does: how many bytes, 0 at the end, or -1
/// and errno. Linux only.
long csystem_read_directory(int descriptor, void *buffer, size_t size);

/// Tries what an event loop is made of (epoll, eventfd, timerfd): 0, or the errno of what can't be had. Linux
/// only; else 0.
int csystem_event_error(void);

/// Has memory taken from the system in large steps; what is not used of them takes no memory.
///
/// With glibc's allocator the memory that a thread works with else grows by a page each time, by a call that
/// all threads wait for.
void csystem_grow_memory_in_large_steps(void);

/// Has SIGHUP, SIGINT and SIGTERM end the process with 128 and the signal's number, at once, but for those that
/// whoever started it has it ignore.
void csystem_handle_endings(void);

/// Has the first of these signals only be remembered from now on, so that the process can end well.
///
/// It is ended by the second one, or 1.75 seconds after the first; the same one within a tenth of a second is
/// none.
void csystem_hold_endings(void);

/// The number of the signal that asks the process to end; 0 if none did.
int csystem_ending(void);

/// Whether the processor has the instructions that `csystem_crc32` needs.
int csystem_has_crc32(void);

/// Takes bytes into the remainder of the CRC-32 of ISO 3309, whose bits are reversed and not inverted.
///
/// `count` is a multiple of 16, and at least 64.
uint32_t csystem_crc32(uint32_t remainder, const void *bytes, size_t count);

#endif

#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#if defined(__linux__)

#include <sys/syscall.h>
#include <sys/xattr.h>

long csystem_read_directory(int descriptor, void *buffer, size_t size) {
    return syscall(SYS_getdents64, descriptor, buffer, size);
}

int csystem_rename_exchange(int from_directory, const char *from, int to_directory, const char *to) {
    return renameat2(from_directory, from, to_directory, to, RENAME_EXCHANGE);
}

int csystem_rename_no_replace(int from_directory, const char *from, int to_directory, const char *to) {
    return renameat2(from_directory, from, to_directory, to, RENAME_NOREPLACE);
}

int csystem_sync_file_system(int descriptor) {
    return syncfs(descriptor);
}

int csystem_sync_content(int descriptor) {
    return fdatasync(descriptor);
}

int csystem_has_default_access_list(int directory) {
    return fgetxattr(directory, "system.posix_acl_default", NULL, 0) > 0;
}

#elif defined(__APPLE__)

int csystem_rename_exchange(int from_directory, const char *from, int to_directory, const char *to) {
    return renameatx_np(from_directory, from, to_directory, to, RENAME_SWAP);
}

int csystem_rename_no_replace(int from_directory, const char *from, int to_directory, const char *to) {
    return renameatx_np(from_directory, from, to_directory, to, RENAME_EXCL);
}

int csystem_sync_file_system(int descriptor) {
    return fcntl(descriptor, F_FULLFSYNC);
}

int csystem_sync_content(int descriptor) {
    return fcntl(descriptor, F_FULLFSYNC);
}

int csystem_has_default_access_list(int directory) {
    return 0;
}

#endif

void csystem_grow_memory_in_large_steps(void) {
#if defined(__GLIBC__)
    mallopt(M_TOP_PAD, 32 << 20);
#endif
}

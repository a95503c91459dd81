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

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
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

long csystem_list_attributes(int file, char *names, size_t size) {
    return flistxattr(file, names, size);
}

long csystem_read_attribute(int file, const char *name, void *value, size_t size) {
    return fgetxattr(file, name, value, size);
}

int csystem_write_attribute(int file, const char *name, const void *value, size_t size) {
    return fsetxattr(file, name, value, size, 0);
}

int csystem_remove_attribute(int file, const char *name) {
    return fremovexattr(file, name);
}

int csystem_event_error(void) {
    int descriptors[3] = {-1, -1, -1}, error = 0;
    if ((descriptors[0] = epoll_create1(EPOLL_CLOEXEC)) < 0
        || (descriptors[1] = eventfd(0, EFD_CLOEXEC)) < 0
        || (descriptors[2] = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC)) < 0)
        error = errno;
    // The system also limits the number of descriptors to wait for.
    struct epoll_event event = {.events = EPOLLIN};
    for (int i = 1; i < 3 && error == 0; i++)
        if (epoll_ctl(descriptors[0], EPOLL_CTL_ADD, descriptors[i], &event) < 0) error = errno;
    for (int i = 0; i < 3; i++)
        if (descriptors[i] >= 0) close(descriptors[i]);
    return error;
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

int csystem_event_error(void) {
    return 0;
}

#endif

void csystem_grow_memory_in_large_steps(void) {
#if defined(__GLIBC__)
    mallopt(M_TOP_PAD, 32 << 20);
#endif
}

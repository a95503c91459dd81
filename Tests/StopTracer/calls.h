// The system calls that the tracer counts, and the registers of a stopped thread.

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define HAS_CALLS 1

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>

struct call {
    long number;
    const char *name;
    // The index of the argument that is the descriptor or the path; with two paths, the new one.
    int object;
    bool is_path;
    // The index of the argument that must contain O_CREAT; -1 for none.
    int flags;
    bool needs_room;
    // Whether the call counts only if the descriptor is a socket.
    bool is_of_sockets;
};

#define CALL(name) SYS_##name, #name
static const struct call calls[] = {
    {CALL(write), 0, false, -1, true, false},
    {CALL(writev), 0, false, -1, true, false},
    {CALL(pwrite64), 0, false, -1, true, false},
    {CALL(pwritev), 0, false, -1, true, false},
    {CALL(fallocate), 0, false, -1, true, false},
    {CALL(copy_file_range), 2, false, -1, true, false},
    {CALL(sendfile), 0, false, -1, true, false},
    {CALL(ftruncate), 0, false, -1, false, false},
    {CALL(fsync), 0, false, -1, false, false},
    {CALL(fdatasync), 0, false, -1, false, false},
    {CALL(syncfs), 0, false, -1, false, false},
    {CALL(fchmod), 0, false, -1, false, false},
    {CALL(fchown), 0, false, -1, false, false},
    {CALL(openat), 1, true, 2, true, false},
    {CALL(mkdirat), 1, true, -1, true, false},
    {CALL(linkat), 3, true, -1, true, false},
    {CALL(symlinkat), 2, true, -1, true, false},
#if defined(SYS_renameat)
    {CALL(renameat), 3, true, -1, true, false},
#endif
    {CALL(renameat2), 3, true, -1, true, false},
    {CALL(unlinkat), 1, true, -1, false, false},
    {CALL(truncate), 0, true, -1, false, false},
    {CALL(fchmodat), 1, true, -1, false, false},
    {CALL(fchownat), 1, true, -1, false, false},
    {CALL(utimensat), 1, true, -1, false, false},
#if defined(__x86_64__)
    {CALL(open), 0, true, 1, true, false},
    {CALL(creat), 0, true, -1, true, false},
    {CALL(mkdir), 0, true, -1, true, false},
    {CALL(link), 1, true, -1, true, false},
    {CALL(symlink), 1, true, -1, true, false},
    {CALL(rename), 1, true, -1, true, false},
    {CALL(unlink), 0, true, -1, false, false},
    {CALL(rmdir), 0, true, -1, false, false},
    {CALL(chmod), 0, true, -1, false, false},
    {CALL(chown), 0, true, -1, false, false},
#endif
    {CALL(connect), 0, false, -1, false, true},
    {CALL(shutdown), 0, false, -1, false, true},
    {CALL(read), 0, false, -1, false, true},
    {CALL(readv), 0, false, -1, false, true},
    {CALL(recvfrom), 0, false, -1, false, true},
    {CALL(recvmsg), 0, false, -1, false, true},
    {CALL(recvmmsg), 0, false, -1, false, true},
    {CALL(sendto), 0, false, -1, false, true},
    {CALL(sendmsg), 0, false, -1, false, true},
    {CALL(sendmmsg), 0, false, -1, false, true},
};
#undef CALL
enum { CALL_COUNT = sizeof calls / sizeof calls[0] };

struct registers {
    struct user_regs_struct values;
};

static bool read_registers(pid_t thread, struct registers *registers) {
    struct iovec place = {&registers->values, sizeof registers->values};
    return ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &place) == 0;
}

static bool write_registers(pid_t thread, struct registers *registers) {
    struct iovec place = {&registers->values, sizeof registers->values};
    return ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &place) == 0;
}

#if defined(__x86_64__)

static long call_number(const struct registers *registers) {
    return (long)registers->values.orig_rax;
}

static unsigned long argument(const struct registers *registers, int index) {
    const struct user_regs_struct *values = &registers->values;
    const unsigned long arguments[] = {values->rdi, values->rsi, values->rdx, values->r10};
    return arguments[index];
}

// Skips the call and makes it return the error. As seccomp(2) says, the call number -1 is not a call.
static bool fail_call(pid_t thread, struct registers *registers, int error) {
    registers->values.orig_rax = (unsigned long)-1;
    registers->values.rax = (unsigned long)-error;
    return write_registers(thread, registers);
}

#else

static long call_number(const struct registers *registers) {
    return (long)registers->values.regs[8];
}

static unsigned long argument(const struct registers *registers, int index) {
    return registers->values.regs[index];
}

static bool fail_call(pid_t thread, struct registers *registers, int error) {
    int none = -1;
    struct iovec place = {&none, sizeof none};
    registers->values.regs[0] = (unsigned long)-error;
    return ptrace(PTRACE_SETREGSET, thread, NT_ARM_SYSTEM_CALL, &place) == 0
        && write_registers(thread, registers);
}

#endif
#endif

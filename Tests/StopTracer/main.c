// stoptracer REPORT NUMBER WAY PROGRAM [ARGUMENT…]
//
// Runs a program and counts the system calls of all its threads that change something or communicate. Injects
// a failure into the call with the given NUMBER (0 for none). If WAY is `kill`, the program is killed before
// the call; if WAY is `interrupt`, the program gets SIGINT there, and the call is made; if WAY is an error
// number, the call fails with that error and does nothing. With `NUMBER+`, every
// later call that needs disk space fails, too. With `EARLIER/NUMBER`, everything written before the call
// EARLIER to the file system of the current folder is on disk before that call.
//
// Writes a line to REPORT for each call, with its object; `! ` precedes the calls that failed. The exit
// status is the program's, or 128 plus the signal that killed it.

#define _GNU_SOURCE
#include "calls.h"

#if defined(HAS_CALLS)

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct request {
    FILE *report;
    // 0 for no earlier call.
    long synchronized;
    long number;
    bool goes_on;
    // The signal to send to the program; 0 for none.
    int signal;
    // The error to fail with; 0 for none.
    int error;
};

static void fail(const char *what) {
    fprintf(stderr, "stoptracer: %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

// Makes the kernel stop the program only at the calls in the table; between them, it runs at full speed.
static void install_filter(void) {
    struct sock_filter filter[5 * CALL_COUNT + 2];
    unsigned short length = 0;
    filter[length++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < CALL_COUNT; i++) {
        const struct call *call = &calls[i];
        bool has_flags = call->flags >= 0;
        filter[length++] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call->number, 0, has_flags ? 4 : 1);
        if (has_flags) {
            // The lower half of an argument, which comes first on both processors.
            unsigned place = (unsigned)(offsetof(struct seccomp_data, args) + 8 * (size_t)call->flags);
            filter[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place);
            filter[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT, 0, 1);
        }
        filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
        if (has_flags)
            filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = length, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        fail("seccomp");
}

static pid_t start(char **words) {
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) fail("ptrace");
        raise(SIGSTOP);
        install_filter();
        execvp(words[0], words);
        fail(words[0]);
    }
    int status;
    if (waitpid(child, &status, __WALL) != child || !WIFSTOPPED(status)) exit(EXIT_FAILURE);
    long options = PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK
        | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP;
    if (ptrace(PTRACE_SETOPTIONS, child, 0, options) != 0) fail("ptrace");
    ptrace(PTRACE_CONT, child, 0, 0);
    return child;
}

static const struct call *call_with_number(long number) {
    for (size_t i = 0; i < CALL_COUNT; i++)
        if (calls[i].number == number) return &calls[i];
    return NULL;
}

// Writes the path of a call's object, or its kind if it has no path.
static void describe(const struct call *call, const struct registers *registers, pid_t thread, char *text) {
    char name[64];
    long bytes = 0;
    unsigned long value = call->object >= 0 ? argument(registers, call->object) : 0;
    if (call->is_path) {
        snprintf(name, sizeof name, "/proc/%d/mem", thread);
        int memory = open(name, O_RDONLY | O_CLOEXEC);
        if (memory >= 0) bytes = pread(memory, text, PATH_MAX, (off_t)value);
        if (memory >= 0) close(memory);
    } else {
        snprintf(name, sizeof name, "/proc/%d/fd/%d", thread, (int)value);
        bytes = readlink(name, text, PATH_MAX);
    }
    text[bytes < 0 ? 0 : bytes] = 0;
}

static bool begins(const char *text, const char *beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool is_counted(const struct call *call, const char *object) {
    if (call->is_path) return true;
    // A call that wakes another thread doesn't count.
    return call->is_of_sockets ? begins(object, "socket:") : !begins(object, "anon_inode:");
}

// Whether a full disk makes the call fail: a write to a file, but not to a pipe or a terminal.
static bool needs_room(const struct call *call, const struct registers *registers, const char *object) {
    if (!call->needs_room) return false;
    return call->is_path || (object[0] == '/' && argument(registers, call->object) > STDERR_FILENO);
}

static void synchronize_folder(void) {
    int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || syncfs(folder) != 0) fail("syncfs");
    close(folder);
}

static void handle(const struct request *request, pid_t leader, pid_t thread) {
    static long count = 0;
    struct registers registers;
    if (!read_registers(thread, &registers)) return;
    const struct call *call = call_with_number(call_number(&registers));
    if (call == NULL) return;
    char object[PATH_MAX + 1];
    describe(call, &registers, thread, object);
    if (!is_counted(call, object)) return;
    count++;
    if (request->synchronized == count) synchronize_folder();
    bool goes_wrong = request->number == count
        || (request->goes_on && count > request->number && needs_room(call, &registers, object));
    fprintf(request->report, "%s%s %s\n", goes_wrong ? "! " : "", call->name, object);
    if (!goes_wrong) return;
    if (request->signal != 0) {
        // The call can come from a program that the traced program started.
        if (request->signal == SIGKILL) kill(thread, SIGKILL);
        kill(leader, request->signal);
    } else if (!fail_call(thread, &registers, request->error)) {
        fail("ptrace");
    }
}

static int follow(const struct request *request, pid_t leader) {
    for (;;) {
        int status;
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0) {
            if (errno == EINTR) continue;
            fail("waitpid");
        }
        if (!WIFSTOPPED(status)) {
            if (thread == leader) return status;
            continue;
        }
        int event = status >> 16;
        if (event == PTRACE_EVENT_SECCOMP) handle(request, leader, thread);
        // A new thread starts with a signal that isn't the program's.
        int signal = event == 0 && WSTOPSIG(status) != SIGSTOP ? WSTOPSIG(status) : 0;
        ptrace(PTRACE_CONT, thread, 0, signal);
    }
}

int main(int count, char **words) {
    if (count < 5) {
        fprintf(stderr, "usage: stoptracer REPORT [EARLIER/]NUMBER[+] kill|interrupt|ERROR PROGRAM [ARGUMENT...]\n");
        return 64;
    }
    char *end;
    struct request request = {
        .report = fopen(words[1], "we"),
        .number = strtol(words[2], &end, 10),
        .signal = strcmp(words[3], "kill") == 0 ? SIGKILL : strcmp(words[3], "interrupt") == 0 ? SIGINT : 0,
        .error = atoi(words[3]),
    };
    if (*end == '/') {
        request.synchronized = request.number;
        request.number = strtol(end + 1, &end, 10);
    }
    request.goes_on = *end == '+';
    if (request.report == NULL) fail(words[1]);
    int status = follow(&request, start(words + 4));
    if (fclose(request.report) != 0) fail(words[1]);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

#else

#include <stdio.h>

int main(void) {
    fprintf(stderr, "stoptracer: only for Linux, on x86-64 and aarch64\n");
    return 69;
}

#endif

#include "CSystemCalls.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// The signal handlers call only async-signal-safe functions, and nothing in Swift's runtime.

// The delay is in microseconds. Including the time for exiting, the process ends within two seconds.
static const int longest_delay = 1750 * 1000;
// The interval is in milliseconds. `timeout` and closing terminals send the same signal twice.
static const int64_t same_signal = 100;

static atomic_int are_held;
// The first signal in the lowest eight bits, and its time in milliseconds in the bits above.
static _Atomic int64_t first;

// Whether standard error ends with a line to erase before the process ends.
static atomic_int has_passing_line;

static void end_at_once(int signal) {
    static const char erasure[] = "\r\033[K";
    struct pollfd output = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (atomic_load(&has_passing_line) && poll(&output, 1, 0) > 0) {
        ssize_t written = write(STDERR_FILENO, erasure, sizeof erasure - 1);
        (void)written;
    }
    _exit(128 + signal);
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void handle_ending(int signal) {
    int error = errno;
    if (!atomic_load(&are_held)) end_at_once(signal);
    int64_t now = milliseconds();
    int64_t before = 0;
    if (atomic_compare_exchange_strong(&first, &before, now << 8 | signal)) {
        struct itimerval timer = {.it_value = {.tv_sec = longest_delay / 1000000, .tv_usec = longest_delay % 1000000}};
        setitimer(ITIMER_REAL, &timer, NULL);
    } else if ((before & 0xFF) != signal || now - (before >> 8) > same_signal) {
        end_at_once(signal);
    }
    errno = error;
}

static void handle_delay(int signal) {
    (void)signal;
    static const char words[] =
        "interrupted: nothing is lost; the next todosync command here finishes or undoes what was begun\n";
    struct pollfd output = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&output, 1, 0) > 0) {
        if (atomic_load(&has_passing_line)) {
            ssize_t erased = write(STDERR_FILENO, "\r\033[K", 4);
            (void)erased;
        }
        ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
        (void)written;
    }
    _exit(128 + csystem_ending());
}

static const int endings[] = {SIGHUP, SIGINT, SIGTERM};
static const size_t count = sizeof endings / sizeof *endings;

static void set_handler(int signal, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    // Block the other signals, too. Otherwise, if two signals arrive together, the handler of the second one
    // runs first.
    for (size_t index = 0; index < count; index += 1) sigaddset(&action.sa_mask, endings[index]);
    sigaction(signal, &action, NULL);
}

void csystem_handle_endings(void) {
    for (size_t index = 0; index < count; index += 1) {
        struct sigaction before;
        if (sigaction(endings[index], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            set_handler(endings[index], handle_ending);
    }
}

void csystem_hold_endings(void) {
    if (atomic_exchange(&are_held, 1)) return;
    set_handler(SIGALRM, handle_delay);
}

void csystem_set_passing_line(int is_there) { atomic_store(&has_passing_line, is_there); }

int csystem_ending(void) {
    return atomic_load(&first) & 0xFF;
}

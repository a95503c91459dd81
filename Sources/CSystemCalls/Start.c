#include "CSystemCalls.h"

#include <stdlib.h>
#include <unistd.h>

#if defined(__GLIBC__)

#include <nss.h>
#include <sys/auxv.h>

// The process's words, which the C library passes to every function that runs before `main`.
static char **words;
static int has_set_root;

// This runs before the initialization of a statically linked Swift runtime. The runtime looks for its folder,
// where it expects a program that shows crashes, and aborts the process if it can't find it without /proc.
// With the variable, it doesn't look.
__attribute__((constructor(101))) static void start(int count, char **arguments) {
    (void)count;
    words = arguments;
    if (access("/proc/self/exe", F_OK) != 0 && !getenv("SWIFT_ROOT"))
        has_set_root = setenv("SWIFT_ROOT", "/", 0) == 0;
}

const char *const *csystem_words(void) { return (const char *const *)words; }

void csystem_finish_start(void) {
    if (has_set_root) unsetenv("SWIFT_ROOT");
}

void csystem_look_up_names_without_modules(void) {
    // Only a dynamic program has an interpreter.
    if (getauxval(AT_BASE) != 0) return;
    __nss_configure_lookup("hosts", "files dns");
    __nss_configure_lookup("passwd", "files");
}

#else

const char *const *csystem_words(void) { return NULL; }

void csystem_finish_start(void) {}

void csystem_look_up_names_without_modules(void) {}

#endif

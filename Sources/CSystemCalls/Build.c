#include "CSystemCalls.h"

// Package.swift defines both, without quotation marks.
#define TEXT(value) #value
#define TEXT_OF(macro) TEXT(macro)

const char *csystem_build_commit(void) { return TEXT_OF(TODOSYNC_COMMIT); }

const char *csystem_build_date(void) { return TEXT_OF(TODOSYNC_DATE); }

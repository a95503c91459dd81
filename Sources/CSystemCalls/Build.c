#include "CSystemCalls.h"

#ifndef TODOSYNC_COMMIT
#define TODOSYNC_COMMIT
#endif
#ifndef TODOSYNC_DATE
#define TODOSYNC_DATE
#endif

// The values have no quotation marks, because they would have to pass a shell and the package manager.
#define TEXT(value) #value
#define TEXT_OF(macro) TEXT(macro)

const char *csystem_build_commit(void) { return TEXT_OF(TODOSYNC_COMMIT); }

const char *csystem_build_date(void) { return TEXT_OF(TODOSYNC_DATE); }

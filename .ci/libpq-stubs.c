// Functions of Kerberos and LDAP that PostgreSQL's client library calls.
//
// Debian has no static Kerberos, and no static LDAP without it. So the released binary doesn't support
// signing in with Kerberos, nor looking up services with LDAP; these functions report failures.

void *GSS_C_NT_HOSTBASED_SERVICE;

#define FAIL(name) unsigned name(void) { return 0xD0000; }  // GSS_S_FAILURE

FAIL(gss_acquire_cred)
FAIL(gss_delete_sec_context)
FAIL(gss_display_status)
FAIL(gss_import_name)
FAIL(gss_init_sec_context)
FAIL(gss_release_buffer)
FAIL(gss_release_cred)
FAIL(gss_release_name)
FAIL(gss_unwrap)
FAIL(gss_wrap)
FAIL(gss_wrap_size_limit)

void *ldap_init(void) { return 0; }
void *ldap_first_entry(void) { return 0; }
void *ldap_get_values_len(void) { return 0; }
const char *ldap_err2string(void) { return "LDAP is not supported"; }
int ldap_count_entries(void) { return 0; }
int ldap_msgfree(void) { return 0; }
int ldap_result(void) { return -1; }
int ldap_search_st(void) { return -1; }
int ldap_set_option(void) { return -1; }
int ldap_simple_bind(void) { return -1; }
int ldap_unbind(void) { return 0; }
void ldap_value_free_len(void) {}

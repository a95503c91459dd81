// The module's tests.

// Tests of every module name the worked cases in profiles; an executable is given them by its main
// file, which a test run does not have.

void squallTestsBegin(void);

__attribute__((constructor)) static void begin(void) { squallTestsBegin(); }

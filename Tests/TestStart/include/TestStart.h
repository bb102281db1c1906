// Nothing to call: see TestStart.c.

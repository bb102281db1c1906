#pragma once

// Loaded into other programs by LD_PRELOAD: puts their clocks and waits into the time that a world
// steps (Sources/CSteppedTime). It has no functions of its own; it replaces those of the C library.

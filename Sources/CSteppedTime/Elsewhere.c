#include "CSteppedTime.h"

#ifndef __linux__
// Other systems have neither such a loader nor such files of processes.

struct squall_stepped *squall_stepped_create(
    long long day, unsigned long long seed, const char *library, const char **problem) {
    (void)day, (void)seed, (void)library;
    *problem = "stepped time needs Linux";
    return 0;
}

void squall_stepped_free(struct squall_stepped *world) { (void)world; }
const char *squall_stepped_file(const struct squall_stepped *world) { return (void)world, ""; }
const char *squall_stepped_library(const struct squall_stepped *world) { return (void)world, ""; }
void squall_stepped_add(struct squall_stepped *world, int process) { (void)world, (void)process; }
int squall_stepped_is_full(const struct squall_stepped *world) { return (void)world, 0; }
long long squall_stepped_now(const struct squall_stepped *world) { return (void)world, 0; }
void squall_stepped_set_day_ahead(struct squall_stepped *world, long long nanoseconds) {
    (void)world, (void)nanoseconds;
}
int squall_stepped_rests(struct squall_stepped *world) { return (void)world, 0; }
void squall_stepped_pause(struct squall_stepped *world) { (void)world; }
int squall_stepped_follow(struct squall_stepped *world) { return (void)world, 0; }
void squall_stepped_idle(struct squall_stepped *world) { (void)world; }
long long squall_stepped_real(void) { return 0; }
long long squall_stepped_earliest(struct squall_stepped *world) { return (void)world, 0; }
void squall_stepped_move(struct squall_stepped *world, long long now) { (void)world, (void)now; }
int squall_stepped_wake(struct squall_stepped *world) { return (void)world, 0; }
void squall_stepped_end(struct squall_stepped *world) { (void)world; }
struct squall_stepped_tally squall_stepped_told(const struct squall_stepped *world) {
    (void)world;
    return (struct squall_stepped_tally){.restless = "", .outsider = "", .connection = ""};
}
const char *squall_stepped_waits(struct squall_stepped *world) { return (void)world, ""; }
const char *squall_stepped_unfit(const char *file, char *next, int size) {
    (void)file, (void)next, (void)size;
    return 0;
}
void squall_stepped_adopt(void) {}
#endif

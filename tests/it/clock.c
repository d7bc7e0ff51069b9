// A clock that is wrong, for tests: loaded before the C library (LD_PRELOAD), so that the whole program sees it.
//
// CLOCK_OFF    so many seconds are added to the time of day; clocks that only count on are right

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int answer = real(clock, now);
    const char *off = getenv("CLOCK_OFF");
    if (answer == 0 && clock == CLOCK_REALTIME && off) now->tv_sec += atol(off);
    return answer;
}

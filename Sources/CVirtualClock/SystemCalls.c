#define _GNU_SOURCE
#include "CVirtualClock.h"

int (*squall_lock_call)(long operation, unsigned int *word) = 0;

#if defined(__linux__)
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// The Swift library asks the system itself for random numbers and for its locks.

/// A system call with nothing in between, as libc's own `syscall` makes it.
static long call_system(long number, long a, long b, long c, long d, long e, long f) {
    long result;
#if defined(__x86_64__)
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    result = x0;
#else
#error "Say here how a system call is made on this processor."
#endif
    if (result >= 0 || result < -4095) {
        return result;
    }
    errno = (int)-result;
    return -1;
}

// Interposes libc's function for the whole process, as all of this target.
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (squall_random && number == SYS_getrandom) {
        squall_fill_random((void *)a, (size_t)b);
        return b;
    }
    if (squall_lock_call && number == SYS_futex) {
        long operation = b & ~(long)FUTEX_PRIVATE_FLAG;
        if (squall_lock_call(operation, (unsigned int *)a)) {
            return 0;
        }
    }
    return call_system(number, a, b, c, d, e, f);
}
#endif

// The clock of a process, as far as it tells the time of day, is so many seconds off as the file that CLOCK_FILE names says: a sign and a
// number at its beginning. The file is made if it is missing, and mapped: write into it, don't replace it. What measures the time that
// passes stays as it is. Who waits until a time of day, as a Java thread that parks until one, waits until the clock here says so; where
// that clock steps meanwhile, he waits on as before. For LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define LENGTH 16

static const char *offset = "0";
static int (*real)(clockid_t, struct timespec *);
static int (*wait_until)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

__attribute__((constructor)) static void begin(void) {
    real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    // Without a version it may be that of a glibc of long ago.
    void *of_amd64 = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    wait_until = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))
        (of_amd64 ? of_amd64 : dlsym(RTLD_NEXT, "pthread_cond_timedwait"));
    const char *name = getenv("CLOCK_FILE");
    int file = name ? open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    if (ftruncate(file, LENGTH) == 0) {
        void *mapped = mmap(NULL, LENGTH, PROT_READ, MAP_SHARED, file, 0);
        if (mapped != MAP_FAILED) offset = mapped;
    }
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *at) {
    if (!real) begin();
    int result = real(clock, at);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += atol(offset);
    return result;
}

// A condition does not tell its clock, but no machine has been up since before 2001.
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    struct timespec shifted = *until;
    if (!wait_until) begin();
    if (shifted.tv_sec > 1000000000) shifted.tv_sec -= atol(offset);
    return wait_until(condition, mutex, &shifted);
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    struct timespec now;
    (void) zone;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}

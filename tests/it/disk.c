// A disk that fails on purpose, for tests: loaded before the C library (LD_PRELOAD), so that the whole program meets it,
// the database as well as the spool.
//
// DISK_FILES   files whose path holds this text are on that disk
// DISK_FAULT   what goes wrong: `space` (no write makes a file longer), `write` (writes fail), `sync` (syncs fail),
//              `readonly` (no write, and no opening for one)
// DISK_FROM    from the N-th such operation on
// DISK_ONCE    only that one
// DISK_WHILE   a file: nothing fails while it is not there
// DISK_HIT     a file that is made when the first one fails, and says when: epoch milliseconds
// DISK_COUNT   a file that becomes a byte longer with each such operation
// DISK_STALLS  folders whose path ends in this text are on a share that answers nobody: who lists one waits while DISK_WHILE is there
// DISK_KEPT    a folder: after each sync it holds the file as it was synced, which is all that a power cut would leave

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_long operations;

static int path_of(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

static int is_on_disk(const char *path) {
    const char *files = getenv("DISK_FILES");
    return files && strstr(path, files);
}

// Counts an operation on the disk, and says whether it fails.
static int fails(const char *kind) {
    const char *fault = getenv("DISK_FAULT"), *from = getenv("DISK_FROM"), *hit = getenv("DISK_HIT");
    if (!fault || !from || strcmp(fault, kind)) return 0;
    const char *only = getenv("DISK_WHILE");
    if (only && syscall(SYS_faccessat, AT_FDCWD, only, F_OK)) return 0;
    long now = atomic_fetch_add(&operations, 1) + 1, wanted = atol(from);
    const char *count = getenv("DISK_COUNT");
    int counted = count ? syscall(SYS_openat, AT_FDCWD, count, O_CREAT | O_APPEND | O_WRONLY, 0600) : -1;
    if (counted >= 0) syscall(SYS_write, counted, "x", 1);
    if (counted >= 0) syscall(SYS_close, counted);
    if (getenv("DISK_ONCE") ? now != wanted : now < wanted) return 0;
    if (hit) {
        int made = syscall(SYS_openat, AT_FDCWD, hit, O_CREAT | O_EXCL | O_WRONLY, 0600);
        struct timespec at;
        clock_gettime(CLOCK_REALTIME, &at);
        if (made >= 0) dprintf(made, "%lld", at.tv_sec * 1000LL + at.tv_nsec / 1000000);
        if (made >= 0) syscall(SYS_close, made);
    }
    return 1;
}

// The error that a write of so many bytes at this place meets, 0 for none.
static int refused(int fd, off_t at, size_t size) {
    char path[4096];
    if (!getenv("DISK_FAULT") || !path_of(fd, path, sizeof path) || !is_on_disk(path)) return 0;
    struct stat now;
    int longer = !fstat(fd, &now) && (at < 0 ? lseek(fd, 0, SEEK_CUR) : at) + (off_t)size > now.st_size;
    if (longer && fails("space")) return ENOSPC;
    if (fails("write")) return EIO;
    if (fails("readonly")) return EROFS;
    return 0;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    int error = refused(fd, -1, size);
    if (error) return errno = error, -1;
    return syscall(SYS_write, fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    int error = refused(fd, at, size);
    if (error) return errno = error, -1;
    return syscall(SYS_pwrite64, fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) { return pwrite(fd, bytes, size, at); }

static int opened(const char *path, int flags, mode_t mode) {
    if ((flags & (O_WRONLY | O_RDWR | O_CREAT)) && is_on_disk(path) && fails("readonly")) return errno = EROFS, -1;
    return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#define MODE(flags) ({ \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = (flags) & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more); \
    mode; })

int open(const char *path, int flags, ...) { return opened(path, flags, MODE(flags)); }
int open64(const char *path, int flags, ...) { return opened(path, flags, MODE(flags)); }

// What a power cut would leave of the file from now on.
static void keep(const char *path) {
    const char *kept = getenv("DISK_KEPT"), *name = strrchr(path, '/');
    if (!kept || !name) return;
    char target[8192], part[8192 + 8];
    snprintf(target, sizeof target, "%s%s", kept, name);
    snprintf(part, sizeof part, "%s.part", target);
    int from = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
    int to = syscall(SYS_openat, AT_FDCWD, part, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    char bytes[1 << 14];
    ssize_t size;
    while ((size = syscall(SYS_read, from, bytes, sizeof bytes)) > 0) syscall(SYS_write, to, bytes, size);
    syscall(SYS_close, from);
    syscall(SYS_close, to);
    rename(part, target);
}

static int sync_with(long number, int fd) {
    char path[4096];
    int ours = path_of(fd, path, sizeof path) && is_on_disk(path);
    if (ours && fails("sync")) return errno = EIO, -1;
    // A real disk is waited for only where its speed is not what is tested.
    int done = ours && getenv("DISK_KEPT") ? 0 : syscall(number, fd);
    if (ours && !done) keep(path);
    return done;
}

int fsync(int fd) { return sync_with(SYS_fsync, fd); }
int fdatasync(int fd) { return sync_with(SYS_fdatasync, fd); }

DIR *opendir(const char *path) {
    const char *stalls = getenv("DISK_STALLS"), *only = getenv("DISK_WHILE");
    if (stalls && only && strlen(path) >= strlen(stalls) && !strcmp(path + strlen(path) - strlen(stalls), stalls))
        while (!syscall(SYS_faccessat, AT_FDCWD, only, F_OK)) nanosleep(&(struct timespec){.tv_nsec = 10000000}, 0);
    DIR *(*listed)(const char *) = (DIR *(*)(const char *))dlsym(RTLD_NEXT, "opendir");
    return listed(path);
}

/*
 * A ClickHouse replica out of the engine's library: `replica LIBRARY HOST PORT ARGUMENT…`.
 *
 * The library contains `clickhouse local`, which has all of the code of replicated tables but is never told what a server learns from its configuration: the
 * address at which other replicas fetch parts, their credentials, a server id, and a listener that hands out parts. This program loads the library, tells it
 * those by changing five places in memory, and runs it. All code that then works is ClickHouse's own. The places are known for one build only: any other is
 * refused with exit code 3, by its bytes.
 *
 * Every second HTTP listener hands out parts, so the configuration names two addresses: the first answers queries, the second is HOST.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

enum { another_build = 3 };

/* Places in @chdb/lib-linux-x64-gnu 26.7.3-stable.1 */
static const uint64_t at_credentials = 0x1417c940; /* Context::getInterserverCredentials */
static const uint64_t at_address = 0x1417c9c0;     /* Context::getInterserverIOAddress */
static const uint64_t at_distributed = 0x142891c0; /* whether replicated definitions may be written */
static const uint64_t at_factory = 0x18395cc0;     /* createHandlerFactory */
static const uint64_t at_server_id = 0x228a3a48;

static const unsigned char begin_of_address[] = {0x41, 0x56, 0x53, 0x48, 0x83, 0xec, 0x48};
static const unsigned char begin_of_factory[] = {0x55, 0x41, 0x57, 0x41, 0x56, 0x41, 0x55, 0x41, 0x54, 0x53};
/* Six pushes and the growth of the stack: whole instructions, as long as a jump needs. */
enum { moved_bytes = 17 };

static char host[23];
static uint16_t port;

typedef struct {
    void *first, *second;
} Pair;

/* A string of the library's: inline up to 22 bytes, with the length in the last byte. */
static void set_string(char *string, const char *text) {
    strcpy(string, text);
    string[23] = (char)strlen(text);
}

static char no_user[48];
static struct {
    char user[24], password[24];
    void *begin, *end, *capacity;
} credentials;

static Pair our_credentials(void *context) {
    (void)context;
    credentials.begin = no_user;
    credentials.end = credentials.capacity = no_user + sizeof no_user;
    return (Pair){&credentials, NULL};
}

static void *our_address(char *result, void *context) {
    char *shared = *(char **)context;
    set_string(shared + 0x170, "http");
    memset(result, 0, 32);
    set_string(result, host);
    *(uint16_t *)(result + 24) = port;
    return result;
}

typedef Pair (*Factory)(void *, void *, void *, void *, void *);
static Factory factory;
static int listeners;
static struct {
    const char *text;
    uint64_t length, capacity;
} parts_handler = {"InterserverIOHTTPHandler-factory", 32, 0x8000000000000000ull | 40};

static Pair our_factory(void *server, void *config, void *metrics, void *name, void *more) {
    int hands_out_parts = listeners++ % 2 == 1;
    return factory(server, config, metrics, hands_out_parts ? (void *)&parts_handler : name, more);
}

static void make_writable(void *place, size_t bytes) {
    uintptr_t page = (uintptr_t)place & ~(uintptr_t)4095;
    size_t length = ((uintptr_t)place + bytes - page + 4095) & ~(size_t)4095;
    if (mprotect((void *)page, length, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
        perror("mprotect");
        exit(1);
    }
}

/* movabs rax, target; jmp rax */
static void jump(unsigned char *place, void *target) {
    make_writable(place, 32);
    place[0] = 0x48;
    place[1] = 0xb8;
    memcpy(place + 2, &target, 8);
    place[10] = 0xff;
    place[11] = 0xe0;
}

/* The beginning of a function that is about to be overwritten, followed by a jump to the rest of it. */
static void *beginning_of(unsigned char *function) {
    unsigned char *copy =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned char *rest = function + moved_bytes;
    static const unsigned char to_r11[] = {0x49, 0xbb}, jump_r11[] = {0x41, 0xff, 0xe3};
    memcpy(copy, function, moved_bytes);
    memcpy(copy + moved_bytes, to_r11, sizeof to_r11);
    memcpy(copy + moved_bytes + 2, &rest, 8);
    memcpy(copy + moved_bytes + 10, jump_r11, sizeof jump_r11);
    return copy;
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "usage: replica LIBRARY HOST PORT ARGUMENT...\n");
        return 1;
    }
    /* It ends when its parent does, however that ended. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    struct link_map *map;
    dlinfo(library, RTLD_DI_LINKMAP, &map);
    unsigned char *base = (unsigned char *)map->l_addr;
    void *(*run)(int, char **) = (void *(*)(int, char **))dlsym(library, "query_stable_v2");
    if (run == NULL || memcmp(base + at_address, begin_of_address, sizeof begin_of_address) != 0 ||
        memcmp(base + at_factory, begin_of_factory, sizeof begin_of_factory) != 0) {
        fprintf(stderr, "this build of the library is not known\n");
        return another_build;
    }
    snprintf(host, sizeof host, "%s", argv[2]);
    port = (uint16_t)atoi(argv[3]);
    uint64_t *server_id = (uint64_t *)(base + at_server_id);
    server_id[0] = 0x4d696c6c00004000ull;
    server_id[1] = 0x8000000000000000ull | port;
    factory = (Factory)beginning_of(base + at_factory);
    jump(base + at_address, our_address);
    jump(base + at_credentials, our_credentials);
    jump(base + at_factory, our_factory);
    static const unsigned char return_true[] = {0xb0, 0x01, 0xc3};
    make_writable(base + at_distributed, sizeof return_true);
    memcpy(base + at_distributed, return_true, sizeof return_true);
    argv[3] = "clickhouse-local";
    struct {
        char *text;
        size_t length;
        void *rest;
        double elapsed;
        unsigned long long rows, bytes;
        char *error;
    } *result = run(argc - 3, argv + 3);
    if (result != NULL && result->error != NULL) fprintf(stderr, "%s\n", result->error);
    return 1;
}

// SPDX-License-Identifier: Apache-2.0
// uptack view: the server as good and hostile clients meet it, on 127.0.0.1 alone.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#if defined(__EMSCRIPTEN__)

TEST(the_command_line_for_the_page)
{
    test_skip("no program can be started here");
}

#else

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// ---- files --------------------------------------------------------------------------------------

enum { PATH = 256, BIG = 3000000 };

static char root[128]; // holds page/, model/ and a secret

static const char* in_root(const char* name)
{
    static char path[4][PATH];
    static int next;
    char* room = path[next++ % 4];
    snprintf(room, PATH, "%s/%s", root, name);
    return room;
}

static void save(const char* name, const char* bytes, size_t size)
{
    FILE* file = fopen(in_root(name), "wb");
    if (CHECK(file != NULL)) {
        CHECK(fwrite(bytes, 1, size, file) == size);
        CHECK(fclose(file) == 0);
    }
}

static void save_text(const char* name, const char* text)
{
    save(name, text, strlen(text));
}

static const char INCLUDES[] = "<mujoco><include file='../part.xml'/><worldbody><body>"
                               "<freejoint/><geom size='0.1'/></body></worldbody></mujoco>";
static const char PART[] = "<mujoco><worldbody><geom type='plane' size='1 1 1'/></worldbody>"
                           "</mujoco>";
static char big[BIG];

// page/: files, a compressed one, links out of it, a pipe. model/: a model with an include beside its folder.
static bool make_files(void)
{
    if (program() == NULL) {
        return false;
    }
    static const char* const folders[] = {"", "page", "page/assets", "page/.git", "model"};
    snprintf(root, sizeof root, "%s/view", program_folder());
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        CHECK(mkdir(in_root(folders[k]), 0700) == 0);
    }
    for (size_t k = 0; k < BIG; k++) {
        big[k] = (char)(k * k >> 7);
    }
    save_text("page/index.html", "<h1>page</h1>");
    save_text("page/assets/a b.js", "plain");
    save_text("page/assets/a b.js.gz", "packed");
    save("page/assets/big.wasm", big, BIG);
    save_text("page/.git/config", "secret");
    save_text("page/.env", "secret");
    save_text("secret.txt", "secret");
    save_text("model/m.xml", INCLUDES);
    save_text("model/secret.txt", "secret");
    save_text("model/.secret", "secret");
    save_text("part.xml", PART);
    CHECK(symlink("../secret.txt", in_root("page/link.txt")) == 0);
    CHECK(symlink("..", in_root("page/up")) == 0);
    CHECK(mkfifo(in_root("page/pipe"), 0600) == 0);
    return true;
}

static void remove_files(void)
{
    char command[PATH];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    CHECK(system(command) == 0);
}

// ---- the server ---------------------------------------------------------------------------------

typedef struct Server {
    pid_t child;
    int out; // its standard output
    int port;
    char token[64];
    char line[512];
} Server;

static void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = 1000000L * (ms % 1000)}, NULL);
}

// Read the line with the address.
static bool read_address(Server* s)
{
    size_t size = 0;
    struct pollfd p = {.fd = s->out, .events = POLLIN};
    while (size < sizeof s->line - 1 && poll(&p, 1, 60000) == 1 &&
           read(s->out, s->line + size, 1) == 1) {
        if (s->line[size++] == '\n') {
            break;
        }
    }
    s->line[size] = '\0';
    const char* at = strstr(s->line, "http://127.0.0.1:");
    return at != NULL && sscanf(at, "http://127.0.0.1:%d/%32[0-9a-f]/", &s->port, s->token) == 2;
}

// @param words arguments behind `uptack view`, NULL at their end
static Server start(const char* const* words, const char* standard_input)
{
    const char* arguments[24] = {"uptack", "view", "--page", in_root("page"), NULL};
    int ends[2], count = 4;
    while (*words != NULL) {
        arguments[count++] = *words++;
    }
    Server s = {.child = -1};
    CHECK(pipe(ends) == 0);
    s.child = fork();
    if (s.child == 0) {
        if (freopen(standard_input != NULL ? standard_input : "/dev/null", "rb", stdin) != NULL &&
            dup2(ends[1], STDOUT_FILENO) >= 0 && freopen(in_root("err"), "wb", stderr) != NULL) {
            (void)close(ends[0]);
            (void)close(ends[1]);
            execv(program(), (char* const*)arguments);
        }
        _exit(99);
    }
    (void)close(ends[1]);
    s.out = ends[0];
    CHECK(read_address(&s));
    return s;
}

// @return the exit code
static int await(pid_t child)
{
    int status = 0;
    pid_t ended = 0;
    for (int k = 0; k < 6000 && ended == 0; k++) {
        ended = waitpid(child, &status, WNOHANG);
        if (ended == 0) {
            sleep_ms(10);
        }
    }
    if (!CHECK(ended == child)) {
        kill(child, SIGKILL);
        (void)waitpid(child, &status, 0);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void stop(Server* s)
{
    CHECK(kill(s->child, SIGINT) == 0);
    CHECK_INT(await(s->child), 0);
    (void)close(s->out);
}

// ---- clients ------------------------------------------------------------------------------------

static int dial(const Server* s)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)s->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    const struct timeval most = {.tv_sec = 60};
    CHECK(setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most) == 0);
    CHECK(connect(client, (const struct sockaddr*)&address, sizeof address) == 0);
    return client;
}

static char answer[BIG + 4096];
static size_t answer_size;

// Read until the server closes. @return the status, 0: none
static int read_answer(int client)
{
    ssize_t size;
    answer_size = 0;
    while (answer_size < sizeof answer - 1 &&
           (size = recv(client, answer + answer_size, sizeof answer - 1 - answer_size, 0)) > 0) {
        answer_size += (size_t)size;
    }
    answer[answer_size] = '\0';
    (void)close(client);
    int status = 0;
    return sscanf(answer, "HTTP/1.1 %d ", &status) == 1 ? status : 0;
}

static int ask_bytes(const Server* s, const char* bytes, size_t size)
{
    const int client = dial(s);
    (void)send(client, bytes, size, MSG_NOSIGNAL);
    return read_answer(client);
}

// Put the token and the port in place of @T and @P.
static size_t expand(const Server* s, const char* text, char* room, size_t most)
{
    size_t size = 0;
    for (; *text != '\0' && size + 64 < most; text++) {
        if (text[0] == '@' && (text[1] == 'T' || text[1] == 'P')) {
            size += text[1] == 'T' ? (size_t)snprintf(room + size, most - size, "%s", s->token)
                                   : (size_t)snprintf(room + size, most - size, "%d", s->port);
            text++;
        } else {
            room[size++] = *text;
        }
    }
    room[size] = '\0';
    return size;
}

static int ask(const Server* s, const char* text)
{
    char bytes[2048];
    return ask_bytes(s, bytes, expand(s, text, bytes, sizeof bytes));
}

// A good request for a path below the token.
static int get(const Server* s, const char* path)
{
    char text[1024];
    snprintf(text, sizeof text, "GET /@T%s HTTP/1.1\r\nHost: 127.0.0.1:@P\r\n\r\n", path);
    return ask(s, text);
}

static const char* body(void)
{
    const char* end = strstr(answer, "\r\n\r\n");
    return end != NULL ? end + 4 : "";
}

static bool is_served(const Server* s)
{
    return get(s, "/view.json") == 200 && strstr(body(), "\"version\"") != NULL;
}

// ---- good clients -------------------------------------------------------------------------------

TEST(the_page_and_the_files_of_the_model_are_served)
{
    if (!make_files()) {
        return;
    }
    Server s = start((const char*[]){"--no-browser", in_root("model/m.xml"), "--dt=0.002", "--set",
                                     "option.tolerance=1e-9", "--formulation", "convex", NULL},
                     NULL);
    CHECK_INT(get(&s, "/"), 200);
    CHECK_TEXT(body(), "<h1>page</h1>");
    CHECK(has(answer, "\r\nContent-Type: text/html; charset=utf-8\r\n"));
    CHECK(has(answer, "\r\nContent-Length: 13\r\n"));
    CHECK(has(answer, "\r\nX-Content-Type-Options: nosniff\r\n"));
    CHECK_INT(get(&s, ""), 301);
    char place[128];
    snprintf(place, sizeof place, "\r\nLocation: /%s/\r\n", s.token);
    CHECK(has(answer, place));

    // both names of the host
    CHECK_INT(ask(&s, "GET /@T/ HTTP/1.0\r\nhost: localhost:@P\r\n\r\n"), 200);
    // compressed for clients that ask for it
    CHECK_INT(get(&s, "/assets/a%20b.js"), 200);
    CHECK_TEXT(body(), "plain");
    CHECK(strstr(answer, "Content-Encoding") == NULL);
    CHECK_INT(ask(&s, "GET /@T/assets/a%20b.js HTTP/1.1\r\nHost: 127.0.0.1:@P\r\n"
                      "Accept-Encoding: br;q=1, GZIP, deflate\r\n\r\n"),
              200);
    CHECK_TEXT(body(), "packed");
    CHECK(has(answer, "\r\nContent-Encoding: gzip\r\n"));
    CHECK(has(answer, "\r\nContent-Type: text/javascript; charset=utf-8\r\n"));
    CHECK_INT(ask(&s, "GET /@T/assets/a%20b.js HTTP/1.1\r\nHost: 127.0.0.1:@P\r\n"
                      "Accept-Encoding: gzip;q=0\r\n\r\n"),
              200);
    CHECK_TEXT(body(), "plain");
    // HEAD has the first lines only; ranges are ignored, as HTTP allows
    CHECK_INT(ask(&s, "HEAD /@T/assets/big.wasm HTTP/1.1\r\nHost: 127.0.0.1:@P\r\n\r\n"), 200);
    CHECK_TEXT(body(), "");
    CHECK(has(answer, "\r\nContent-Length: 3000000\r\n"));
    CHECK_INT(ask(&s, "GET /@T/assets/big.wasm HTTP/1.1\r\nHost: 127.0.0.1:@P\r\n"
                      "Range: bytes=0-1,5-\r\n\r\n"),
              200);
    CHECK(has(answer, "\r\nContent-Type: application/wasm\r\n"));
    CHECK_INT(answer_size - (size_t)(body() - answer), BIG);
    CHECK(memcmp(body(), big, BIG) == 0);

    // names are below the folder that holds the model and its include
    CHECK_INT(get(&s, "/view.json"), 200);
    CHECK_TEXT(body(),
               "{\"kind\":\"model\",\"name\":\"model/m.xml\",\"base\":\"files/\",\"set\":["
               "\"option.tolerance=1e-9\"],\"options\":{\"dt\":0.002,\"formulation\":\"convex\"},"
               "\"version\":1}");
    CHECK_INT(get(&s, "/files/model/m.xml"), 200);
    CHECK_TEXT(body(), INCLUDES);
    CHECK_INT(get(&s, "/files/part.xml"), 200);
    CHECK_TEXT(body(), PART);
    stop(&s);
    remove_files();
}

TEST(scenes_recordings_and_standard_input_are_shown)
{
    if (!make_files()) {
        return;
    }
    Server s = start((const char*[]){"--no-browser", "stack:3", "--json", NULL}, NULL);
    char want[512];
    snprintf(want, sizeof want,
             "{\"address\":\"http://127.0.0.1:%d/%s/\",\"port\":%d,\"page\":\"%s\"}\n", s.port,
             s.token, s.port, in_root("page"));
    CHECK_TEXT(s.line, want);
    CHECK_INT(get(&s, "/view.json"), 200);
    CHECK_TEXT(body(), "{\"kind\":\"scene\",\"name\":\"stack:3\",\"scene\":\"stack:3\",\"set\":[],"
                       "\"options\":{},\"version\":1}");
    CHECK_INT(get(&s, "/files/stack:3"), 404);
    stop(&s);

    s = start((const char*[]){"--no-browser", "-", NULL}, in_root("part.xml"));
    CHECK_INT(get(&s, "/view.json"), 200);
    CHECK(has(body(), "\"name\":\"model.xml\""));
    CHECK_INT(get(&s, "/files/model.xml"), 200);
    CHECK_TEXT(body(), PART);
    stop(&s);

    char command[3 * PATH];
    snprintf(command, sizeof command, "'%s' run stack:1 -t 0.02 --record '%s' >/dev/null",
             program(), in_root("run.utr"));
    CHECK(system(command) == 0);
    s = start((const char*[]){"--no-browser", in_root("run.utr"), NULL}, NULL);
    CHECK_INT(get(&s, "/view.json"), 200);
    CHECK(has(body(), "{\"kind\":\"recording\",\"name\":\"run.utr\",\"base\":\"files/\""));
    CHECK_INT(get(&s, "/files/run.utr"), 200);
    struct stat status;
    CHECK(stat(in_root("run.utr"), &status) == 0);
    CHECK_INT(answer_size - (size_t)(body() - answer), status.st_size);
    stop(&s);
    remove_files();
}

TEST(changes_of_any_file_of_the_model_are_reported)
{
    if (!make_files()) {
        return;
    }
    Server s = start((const char*[]){"--no-browser", in_root("model/m.xml"), NULL}, NULL);
    // who has an old version is answered at once
    CHECK_INT(get(&s, "/changes?since=0"), 200);
    CHECK_TEXT(body(), "{\"version\":1}");
    char bytes[256];
    const size_t size = expand(&s, "GET /@T/changes?since=1 HTTP/1.1\r\nHost: 127.0.0.1:@P\r\n\r\n",
                               bytes, sizeof bytes);
    int waiting = dial(&s);
    CHECK(send(waiting, bytes, size, 0) == (ssize_t)size);
    CHECK(is_served(&s));
    // the include, beside the model's folder, includes another file now
    save_text("more.xml", PART);
    save_text("part.xml", "<mujoco><include file='more.xml'/></mujoco>");
    CHECK_INT(read_answer(waiting), 200);
    CHECK_TEXT(body(), "{\"version\":2}");
    CHECK_INT(get(&s, "/files/more.xml"), 200);

    // a model that is broken for a moment is served too, so that the page shows its message
    save_text("model/m.xml", "<mujoco><wrong/></mujoco>");
    CHECK_INT(get(&s, "/changes?since=2"), 200);
    CHECK_TEXT(body(), "{\"version\":3}");
    CHECK_INT(get(&s, "/files/model/m.xml"), 200);
    CHECK_TEXT(body(), "<mujoco><wrong/></mujoco>");
    save_text("model/m.xml", INCLUDES);
    CHECK_INT(get(&s, "/changes?since=3"), 200);
    CHECK_INT(get(&s, "/files/part.xml"), 200);

    // a client that gives up is no harm
    waiting = dial(&s);
    CHECK(send(waiting, bytes, size, 0) == (ssize_t)size);
    (void)close(waiting);
    CHECK(is_served(&s));
    stop(&s);
    char text[1024];
    FILE* err = fopen(in_root("err"), "rb");
    text[err != NULL ? fread(text, 1, sizeof text - 1, err) : 0] = '\0';
    fclose(err);
    CHECK(has(text, "m.xml:1:9: error: "));
    remove_files();
}

// ---- hostile clients ----------------------------------------------------------------------------

#define HOST " HTTP/1.1\r\nHost: 127.0.0.1:@P\r\n\r\n"
#define LINE "GET /@T/view.json HTTP/1.1\r\n"

static const struct {
    int status;
    const char* request;
} hostile[] = {
    // out of the folder
    {400, "GET /@T/../secret.txt" HOST},
    {400, "GET /@T/files/../../secret.txt" HOST},
    {400, "GET /@T/%2e%2e/secret.txt" HOST},
    {400, "GET /@T/.%2E/secret.txt" HOST},
    {400, "GET /@T/..%2fsecret.txt" HOST},
    {400, "GET /@T/assets/..%5c..%5csecret.txt" HOST},
    {400, "GET /@T/assets\\..\\..\\secret.txt" HOST},
    {404, "GET /@T/%252e%252e/secret.txt" HOST},
    {404, "GET /@T/%c0%ae%c0%ae/secret.txt" HOST},
    {404, "GET /@T/.../secret.txt" HOST},
    {400, "GET /@T/files//etc/passwd" HOST},
    {400, "GET /@T/files/%2fetc/passwd" HOST},
    {404, "GET /@T/files/etc/passwd" HOST},
    {400, "GET /@T/./index.html" HOST},
    {400, "GET /@T/.." HOST},
    {400, "GET //@T/" HOST},
    // files that are not shown
    {404, "GET /@T/files/model/secret.txt" HOST},
    {404, "GET /@T/files/secret.txt" HOST},
    {404, "GET /@T/files/model/.secret" HOST},
    {404, "GET /@T/files/" HOST},
    {404, "GET /@T/files" HOST},
    {404, "GET /@T/.env" HOST},
    {404, "GET /@T/.git/config" HOST},
    {404, "GET /@T/link.txt" HOST},
    {404, "GET /@T/up/secret.txt" HOST},
    {404, "GET /@T/pipe" HOST},
    {404, "GET /@T/assets" HOST},
    {404, "GET /@T/assets/" HOST},
    {404, "GET /@T/index.html/" HOST},
    // encodings
    {400, "GET /@T/index.html%00.png" HOST},
    {400, "GET /@T/%zz" HOST},
    {400, "GET /@T/%2" HOST},
    {400, "GET /@T/a%0d%0aX-Y:%20z" HOST},
    {400, "GET /@T/\xff\xfe" HOST},
    {400, "GET /@T/view.json#a" HOST},
    {400, "GET /@T/view .json" HOST},
    // without the token, or with another one
    {404, "GET /" HOST},
    {404, "GET /view.json" HOST},
    {404, "GET /00000000000000000000000000000000/view.json" HOST},
    {404, "GET /@T0/view.json" HOST},
    {404, "GET /0@T/view.json" HOST},
    {404, "GET /%30/@T/view.json" HOST},
    // other hosts
    {403, LINE "Host: evil.example:@P\r\n\r\n"},
    {403, LINE "Host: 127.0.0.1\r\n\r\n"},
    {403, LINE "Host: 127.0.0.1:1\r\n\r\n"},
    {403, LINE "Host: 127.0.0.1:@P.evil.example\r\n\r\n"},
    {403, LINE "Host: 127.0.0.1:@P@@evil.example\r\n\r\n"},
    {403, LINE "Host: 0.0.0.0:@P\r\n\r\n"},
    {400, LINE "Host: 127.0.0.1:@P\r\nHost: evil.example\r\n\r\n"},
    {400, LINE "Host:\r\n\r\n"},
    {400, LINE "\r\n"},
    {400, "GET /@T/view.json HTTP/1.0\r\n\r\n"},
    {400, "GET http://127.0.0.1:@P/@T/view.json" HOST},
    // methods, versions, bodies
    {405, "POST /@T/view.json" HOST},
    {405, "PUT /@T/files/model/m.xml" HOST},
    {405, "DELETE /@T/files/model/m.xml" HOST},
    {405, "OPTIONS *" HOST},
    {405, "TRACE /@T/" HOST},
    {405, "CONNECT 127.0.0.1:22" HOST},
    {405, "get /@T/" HOST},
    {405, "PRI * HTTP/1.1\r\n\r\n"},
    {505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
    {505, "GET /@T/ HTTP/9.9\r\nHost: 127.0.0.1:@P\r\n\r\n"},
    {400, "GET /@T/ FTP/1.1\r\nHost: 127.0.0.1:@P\r\n\r\n"},
    {400, "GET /@T/\r\n\r\n"},
    {400, "\r\n\r\nGET /@T/" HOST},
    {413, LINE "Host: 127.0.0.1:@P\r\nContent-Length: 99999999999999999999\r\n\r\n"},
    {413, LINE "Host: 127.0.0.1:@P\r\nContent-Length: -1\r\n\r\n"},
    {413, LINE "Host: 127.0.0.1:@P\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
    {417, LINE "Host: 127.0.0.1:@P\r\nExpect: 100-continue\r\n\r\n"},
    // headers
    {400, LINE "Host : 127.0.0.1:@P\r\n\r\n"},
    {400, LINE "Host: 127.0.0.1:@P\r\n folded: yes\r\n\r\n"},
    {400, LINE "Host: 127.0.0.1:@P\r\nno colon\r\n\r\n"},
    {400, LINE "Host: 127.0.0.1:@P\nX: y\r\n\r\n"},
    {400, LINE "Host: 127.0.0.1:@P\r\nX: a\rb\r\n\r\n"},
    {400, LINE "Host: 127.0.0.1:@P\r\nX: \x1b[31m\r\n\r\n"},
    // queries
    {400, "GET /@T/changes" HOST},
    {400, "GET /@T/changes?since=-1" HOST},
    {400, "GET /@T/changes?since=1x" HOST},
    {400, "GET /@T/changes?since=99999999999999999999999" HOST},
};

enum { HOSTILE = sizeof hostile / sizeof *hostile };

// A request with a part of this size. @param where 0: the path, 1: the query, 2: a header, 3: the number of headers
static int ask_large(const Server* s, int where, size_t size)
{
    static char bytes[300000];
    const char* const begin[] = {"GET /@T/", "GET /@T/changes?",
                                 LINE "Host: 127.0.0.1:@P\r\nX: ", LINE "Host: 127.0.0.1:@P\r\n"};
    size_t used = expand(s, begin[where], bytes, 1024);
    for (size_t k = 0; k < size; k++) {
        if (where == 3) {
            memcpy(bytes + used, "a: b\r\n", 6);
            used += 6;
        } else {
            bytes[used++] = 'a';
        }
    }
    used += expand(s, where < 2 ? HOST : where == 2 ? "\r\n\r\n" : "\r\n", bytes + used, 1024);
    return ask_bytes(s, bytes, used);
}

TEST(hostile_requests_are_refused_and_good_ones_answered_between_them)
{
    if (!make_files()) {
        return;
    }
    Server s = start((const char*[]){"--no-browser", in_root("model/m.xml"), NULL}, NULL);
    int refused = 0;
    for (int k = 0; k < HOSTILE; k++) {
        const int status = ask(&s, hostile[k].request);
        if (!CHECK_INT(status, hostile[k].status)) {
            test_note("request %d: %s", k, hostile[k].request);
        }
        refused += status >= 400;
        CHECK(strstr(answer, "secret") == NULL);
        CHECK(is_served(&s));
    }
    // bytes that no text has
    static const char nul[] = "GET /\0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    static const char tls[] = "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
    refused += CHECK_INT(ask_bytes(&s, nul, sizeof nul - 1), 400);
    refused += CHECK_INT(ask_bytes(&s, tls, sizeof tls - 1), 400);
    // sizes at the limits and far above them
    refused += CHECK_INT(ask_large(&s, 0, 1100), 414);
    refused += CHECK_INT(ask_large(&s, 1, 200), 414);
    refused += CHECK_INT(ask_large(&s, 2, 9000), 431);
    refused += CHECK_INT(ask_large(&s, 2, 60000), 431);
    refused += CHECK_INT(ask_large(&s, 3, 64), 431);
    CHECK_INT(ask_large(&s, 3, 62), 200);
    CHECK_INT(ask_large(&s, 2, 7900), 200);
    CHECK(is_served(&s));
    test_note("%d of %d hostile requests refused", refused, HOSTILE + 7);
    CHECK_INT(refused, HOSTILE + 7);
    stop(&s);
    remove_files();
}

TEST(slow_silent_and_many_clients_do_not_stop_a_good_one)
{
    if (!make_files()) {
        return;
    }
    enum { CROWD = 200, SLOW = 3 };
    Server s = start((const char*[]){"--no-browser", in_root("model/m.xml"), NULL}, NULL);
    // three times as many clients as there are places, most of them silent, some in the middle of a request
    int crowd[CROWD];
    for (int k = 0; k < CROWD; k++) {
        crowd[k] = dial(&s);
        if (k % 3 == 0) {
            (void)send(crowd[k], "GET /half", 9, MSG_NOSIGNAL);
        }
        CHECK(k % 10 != 0 || is_served(&s));
    }
    for (int k = 0; k < CROWD; k++) {
        (void)close(crowd[k]);
    }
    CHECK(is_served(&s));

    // one byte at a time, half a request, nothing at all: each is told so within seconds
    int slow[SLOW];
    for (int k = 0; k < SLOW; k++) {
        slow[k] = dial(&s);
    }
    (void)send(slow[1], "GET /", 5, MSG_NOSIGNAL);
    // a reader that never takes its 3 MB
    char bytes[256];
    const size_t size = expand(&s, "GET /@T/assets/big.wasm" HOST, bytes, sizeof bytes);
    const int greedy = dial(&s);
    CHECK(send(greedy, bytes, size, 0) == (ssize_t)size);
    struct pollfd done = {.fd = slow[0], .events = POLLIN};
    int sent = 0;
    while (sent < 600 && poll(&done, 1, 100) == 0) {
        sent += (int)send(slow[0], sent == 0 ? "G" : "E", 1, MSG_NOSIGNAL);
        CHECK(sent % 5 != 0 || is_served(&s));
    }
    for (int k = 0; k < SLOW; k++) {
        CHECK_INT(read_answer(slow[k]), 408);
    }
    CHECK(is_served(&s));
    (void)close(greedy);
    stop(&s);
    remove_files();
}

// The sockets of a table of the kernel that listen on a port. @param address receives the last one's
static int count_listeners(const char* table, int port, char* address)
{
    char line[512], local[64];
    unsigned number, state;
    int count = 0;
    FILE* file = fopen(table, "rb");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, " %*d: %40[0-9A-F]:%x %*[0-9A-F]:%*x %x", local, &number, &state) == 3 &&
            state == 10 && (int)number == port) {
            snprintf(address, 64, "%s", local);
            count++;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return count;
}

TEST(nothing_listens_on_other_interfaces)
{
    if (access("/proc/net/tcp", R_OK) != 0) {
        test_skip("there is no /proc/net/tcp");
        return;
    }
    if (!make_files()) {
        return;
    }
    Server s = start((const char*[]){"--no-browser", in_root("model/m.xml"), NULL}, NULL);
    Server other = start((const char*[]){"--no-browser", in_root("model/m.xml"), NULL}, NULL);
    char address[64] = "";
    CHECK_INT(count_listeners("/proc/net/tcp", s.port, address), 1);
    const unsigned loopback = htonl(INADDR_LOOPBACK); // as the kernel prints it
    char want[16];
    snprintf(want, sizeof want, "%08X", loopback);
    CHECK_TEXT(address, want);
    CHECK_INT(count_listeners("/proc/net/tcp6", s.port, address), 0);
    // each server has its own secret
    CHECK(s.port != other.port && strcmp(s.token, other.token) != 0);
    CHECK(strlen(s.token) == 32);
    stop(&s);
    stop(&other);
    remove_files();
}

// ---- the command line ---------------------------------------------------------------------------

static char err_text[4096];

static int fail(const char* arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s' view %s >'%s' 2>'%s'", program(), arguments,
             in_root("out"), in_root("err"));
    const int status = system(command);
    FILE* err = fopen(in_root("err"), "rb");
    err_text[err != NULL ? fread(err_text, 1, sizeof err_text - 1, err) : 0] = '\0';
    fclose(err);
    struct stat out;
    CHECK(stat(in_root("out"), &out) == 0 && out.st_size == 0);
    return CHECK(WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

TEST(what_cannot_be_shown_is_explained)
{
    if (!make_files()) {
        return;
    }
    char words[512];
    snprintf(words, sizeof words, "stack:2 --page '%s'", in_root("model"));
    CHECK_INT(fail(words), 1);
    CHECK(has(err_text,
              "/view/model: error: holds no index.html; --page needs the folder that make "
              "page builds"));
    save_text("bad.xml", "<mujoco>\n <wrong/></mujoco>");
    snprintf(words, sizeof words, "'%s' --page '%s'", in_root("bad.xml"), in_root("page"));
    CHECK_INT(fail(words), 1);
    CHECK(has(err_text, "bad.xml:2:2: error: "));
    Server s = start((const char*[]){"--no-browser", "stack:2", NULL}, NULL);
    snprintf(words, sizeof words, "stack:2 --page '%s' --port %d", in_root("page"), s.port);
    CHECK_INT(fail(words), 1);
    CHECK(has(err_text, "error: cannot be opened: "));
    CHECK(has(err_text, "; without --port a free one is taken"));
    stop(&s);
    CHECK_INT(fail("stack:2 --port 0"), 2);
    CHECK_INT(fail(""), 2);
    CHECK(has(err_text, "MODEL is missing"));
    remove_files();
}

TEST(the_browser_gets_the_address_if_there_is_a_display)
{
    if (!make_files()) {
        return;
    }
    // a browser that writes what it is given
    char script[2 * PATH], path[PATH + 64];
    snprintf(script, sizeof script, "#!/bin/sh\necho \"$@\" >'%s'\nmv '%s' '%s'\n", in_root("part"),
             in_root("part"), in_root("shown"));
    save_text("xdg-open", script);
    CHECK(chmod(in_root("xdg-open"), 0700) == 0);
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", root);
    const char* const before = getenv("PATH");
    char old[4096];
    snprintf(old, sizeof old, "%s", before != NULL ? before : "");
    CHECK(setenv("PATH", path, 1) == 0 && setenv("DISPLAY", ":99", 1) == 0);
    Server s = start((const char*[]){"stack:2", NULL}, NULL);
    for (int k = 0; k < 1000 && access(in_root("shown"), R_OK) != 0; k++) {
        sleep_ms(10);
    }
    char shown[512] = "";
    FILE* file = fopen(in_root("shown"), "rb");
    if (CHECK(file != NULL)) {
        CHECK(fgets(shown, sizeof shown, file) != NULL);
        fclose(file);
    }
    CHECK_TEXT(shown, s.line);
    stop(&s);
    CHECK(setenv("PATH", old, 1) == 0 && unsetenv("DISPLAY") == 0);
    remove_files();
}

#endif

// SPDX-License-Identifier: Apache-2.0
// Connections to 127.0.0.1, served one step at a time in one loop. Each connection carries one request.
// Nobody is waited for: a client that is slow, silent or greedy loses its connection, and when all places
// are taken a new client gets that of the one who has been silent longest.
#define _XOPEN_SOURCE 700
#include "progress.h"
#include "view/view.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MAX_CONNECTIONS = 64,
    HEAD_ROOM = 1024,    // bytes of an answer's first lines
    CHUNK = 64 * 1024,   // bytes of a body that are sent at once
    MAX_DRAINED = 65536, // bytes that a refused client may still send
};

static const double HEAD_SECONDS = 5.0;  // for the whole head of a request
static const double WAIT_SECONDS = 20.0; // until /changes is answered anyway
static const double SEND_SECONDS = 15.0; // without progress
static const double DRAIN_SECONDS = 1.0; // until a refused client has read the answer

// In the order in which places are taken away.
typedef enum State { FREE, READING, DRAINING, WAITING, SENDING } State;

typedef struct Connection {
    State state;
    int socket;
    double deadline; // s
    double since;    // s: when the state began
    char head[HTTP_MAX_HEAD];
    size_t head_size;
    bool no_body; // HEAD
    ViewAnswer answer;
    char first[HEAD_ROOM];
    size_t first_size, first_sent;
    uint64_t sent;  // bytes of the body
    size_t drained; // bytes
} Connection;

typedef struct Server {
    View* view;
    int listener;
    Connection connection[MAX_CONNECTIONS];
    double now; // s
    char chunk[CHUNK];
} Server;

// ---- sockets ------------------------------------------------------------------------------------

static bool make_private(int socket)
{
    const int flags = fcntl(socket, F_GETFL, 0);
    return flags >= 0 && fcntl(socket, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(socket, F_SETFD, FD_CLOEXEC) == 0;
}

utStatus view_listen(int* port, int* listener, utError* err)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    socklen_t size = sizeof address;
    const int on = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *listener = socket(AF_INET, SOCK_STREAM, 0);
    if (*listener >= 0 && make_private(*listener) &&
        setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(*listener, (const struct sockaddr*)&address, sizeof address) == 0 &&
        listen(*listener, MAX_CONNECTIONS) == 0 &&
        getsockname(*listener, (struct sockaddr*)&address, &size) == 0) {
        *port = ntohs(address.sin_port);
        return UT_OK;
    }
    const int code = errno;
    char name[32];
    snprintf(name, sizeof name, "port %d", *port);
    return ut_error_at(err, UT_ERR_IO, name, 0, 0, "cannot be opened: %s%s", strerror(code),
                       code == EADDRINUSE ? "; without --port a free one is taken" : "");
}

// ---- connections --------------------------------------------------------------------------------

static void enter(Server* s, Connection* c, State state, double seconds)
{
    c->state = state;
    c->since = s->now;
    c->deadline = s->now + seconds;
}

static void end_connection(Connection* c)
{
    if (c->answer.file >= 0) {
        (void)close(c->answer.file);
    }
    free(c->answer.text);
    (void)close(c->socket);
    *c = (Connection){.state = FREE, .answer.file = -1};
}

// A place for a new client. @return NULL when all clients are being sent their answers
static Connection* find_place(Server* s)
{
    Connection* best = NULL;
    for (int k = 0; k < MAX_CONNECTIONS; k++) {
        Connection* c = &s->connection[k];
        if (c->state == FREE) {
            return c;
        }
        const bool sooner = best == NULL || c->state < best->state ||
                            (c->state == best->state && c->since < best->since);
        best = c->state != SENDING && sooner ? c : best;
    }
    if (best != NULL) {
        end_connection(best);
    }
    return best;
}

static bool has_place(const Server* s)
{
    for (int k = 0; k < MAX_CONNECTIONS; k++) {
        if (s->connection[k].state != SENDING) {
            return true;
        }
    }
    return false;
}

static void accept_clients(Server* s)
{
    for (int k = 0; k < MAX_CONNECTIONS && has_place(s); k++) {
        const int socket = accept(s->listener, NULL, NULL);
        if (socket < 0) {
            if (errno == EMFILE || errno == ENFILE) {
                (void)find_place(s); // gives one back
            }
            return;
        }
        Connection* c = make_private(socket) ? find_place(s) : NULL;
        if (c == NULL) {
            (void)close(socket);
            continue;
        }
        c->socket = socket;
        enter(s, c, READING, HEAD_SECONDS);
    }
}

// ---- sending ------------------------------------------------------------------------------------

// The client has its answer, and its bytes that were not read must not destroy it on the way.
static void drain(Server* s, Connection* c)
{
    (void)shutdown(c->socket, SHUT_WR);
    enter(s, c, DRAINING, DRAIN_SECONDS);
}

// Send bytes. @return their number, -1: the client has gone
static ssize_t send_some(Server* s, Connection* c, const char* bytes, size_t size)
{
    const ssize_t sent = send(c->socket, bytes, size, MSG_NOSIGNAL);
    if (sent > 0) {
        c->deadline = s->now + SEND_SECONDS;
        return sent;
    }
    return sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

// The next bytes of the body. @return their number, 0 or less: the file has become shorter
static ssize_t next_bytes(Server* s, const Connection* c, const char** bytes)
{
    const uint64_t left = c->answer.size - c->sent;
    const size_t size = left < CHUNK ? (size_t)left : CHUNK;
    if (c->answer.text != NULL) {
        *bytes = c->answer.text + c->sent;
        return (ssize_t)size;
    }
    *bytes = s->chunk;
    return pread(c->answer.file, s->chunk, size, (off_t)c->sent);
}

static void send_answer(Server* s, Connection* c)
{
    while (c->first_sent < c->first_size) {
        const ssize_t sent =
            send_some(s, c, c->first + c->first_sent, c->first_size - c->first_sent);
        if (sent <= 0) {
            if (sent < 0) {
                end_connection(c);
            }
            return;
        }
        c->first_sent += (size_t)sent;
    }
    // one chunk, then the others have their turn
    if (!c->no_body && c->sent < c->answer.size) {
        const char* bytes;
        const ssize_t size = next_bytes(s, c, &bytes);
        const ssize_t sent = size > 0 ? send_some(s, c, bytes, (size_t)size) : -1;
        if (sent < 0) {
            end_connection(c);
            return;
        }
        c->sent += (uint64_t)sent;
    }
    if (c->no_body || c->sent == c->answer.size) {
        drain(s, c);
    }
}

static void begin_answer(Server* s, Connection* c, ViewAnswer answer)
{
    c->answer = answer;
    c->first_size = view_answer_head(s->view, &answer, c->first);
    c->first_sent = 0;
    c->sent = 0;
    enter(s, c, SENDING, SEND_SECONDS);
    send_answer(s, c);
}

// ---- receiving ----------------------------------------------------------------------------------

static void answer_request(Server* s, Connection* c, int status, size_t head_size)
{
    HttpRequest request = {0};
    if (status == 200) {
        status = http_read(c->head, head_size, &request);
    }
    const ViewAnswer answer = view_answer(s->view, status, &request);
    c->no_body = request.head;
    if (answer.wait) {
        c->answer = answer;
        enter(s, c, WAITING, WAIT_SECONDS);
    } else {
        begin_answer(s, c, answer);
    }
}

static void receive(Server* s, Connection* c)
{
    const ssize_t size = recv(c->socket, c->head + c->head_size, sizeof c->head - c->head_size, 0);
    if (size <= 0) {
        if (size == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
            end_connection(c);
        }
        return;
    }
    c->head_size += (size_t)size;
    size_t head_size = 0;
    const int status = http_find_head(c->head, c->head_size, &head_size);
    if (status != 0) {
        answer_request(s, c, status, head_size);
    }
}

// Bytes that nobody asked for.
static void discard(Server* s, Connection* c)
{
    const ssize_t size = recv(c->socket, s->chunk, sizeof s->chunk, 0);
    const bool later = size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    c->drained += size > 0 ? (size_t)size : 0;
    if ((size <= 0 && !later) || c->drained > MAX_DRAINED) {
        end_connection(c);
    }
}

// ---- the loop -----------------------------------------------------------------------------------

static void advance(Server* s, Connection* c, short events)
{
    if ((events & (POLLIN | POLLOUT | POLLHUP | POLLERR | POLLNVAL)) == 0) {
        return;
    }
    switch (c->state) {
    case READING:
        receive(s, c);
        break;
    case WAITING:
    case DRAINING:
        discard(s, c);
        break;
    case SENDING:
        send_answer(s, c);
        break;
    default:
        break;
    }
}

static void check_deadline(Server* s, Connection* c)
{
    if (c->state == FREE || s->now < c->deadline) {
        return;
    }
    if (c->state == READING) {
        begin_answer(s, c, view_answer(s->view, 408, NULL));
    } else if (c->state == WAITING) {
        begin_answer(s, c, view_answer_changes(s->view, c->answer.since));
    } else {
        end_connection(c);
    }
}

static void answer_waiting(Server* s)
{
    for (int k = 0; k < MAX_CONNECTIONS; k++) {
        Connection* c = &s->connection[k];
        if (c->state == WAITING) {
            begin_answer(s, c, view_answer_changes(s->view, c->answer.since));
        }
    }
}

// Wait for events. @param event receives those of each connection, the listener's behind them
static void wait_for_events(Server* s, short event[MAX_CONNECTIONS + 1])
{
    static const int LOOK_MILLISECONDS =
        250; // deadlines, changes of files and Ctrl-C are seen so late
    struct pollfd poll_of[MAX_CONNECTIONS + 1];
    for (int k = 0; k < MAX_CONNECTIONS; k++) {
        const Connection* c = &s->connection[k];
        poll_of[k] = (struct pollfd){.fd = c->state != FREE ? c->socket : -1,
                                     .events = c->state == SENDING ? POLLOUT : POLLIN};
    }
    poll_of[MAX_CONNECTIONS] =
        (struct pollfd){.fd = has_place(s) ? s->listener : -1, .events = POLLIN};
    const int ready = poll(poll_of, MAX_CONNECTIONS + 1, LOOK_MILLISECONDS);
    for (int k = 0; k <= MAX_CONNECTIONS; k++) {
        event[k] = ready > 0 ? poll_of[k].revents : 0;
    }
}

utStatus view_serve(View* view, int listener, utError* err)
{
    Server* s = calloc(1, sizeof *s);
    if (s == NULL) {
        return cli_no_memory(view->start.file, err);
    }
    s->view = view;
    s->listener = listener;
    for (int k = 0; k < MAX_CONNECTIONS; k++) {
        s->connection[k].answer.file = -1;
    }
    while (cli_caught_signal() == 0) {
        short event[MAX_CONNECTIONS + 1];
        wait_for_events(s, event);
        s->now = cli_now();
        for (int k = 0; k < MAX_CONNECTIONS; k++) {
            advance(s, &s->connection[k], event[k]);
            check_deadline(s, &s->connection[k]);
        }
        // new clients last, because they may take the place of a connection that has events
        if (event[MAX_CONNECTIONS] != 0) {
            accept_clients(s);
        }
        if (view_watch(view, s->now)) {
            answer_waiting(s);
        }
    }
    for (int k = 0; k < MAX_CONNECTIONS; k++) {
        if (s->connection[k].state != FREE) {
            end_connection(&s->connection[k]);
        }
    }
    free(s);
    return UT_OK;
}

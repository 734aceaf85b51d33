/* A device that drives a session by datagrams: a damper that reads a rate and answers with a torque at every tick.
 *
 *   tactus serve motor_four_bar --clock external --udp 127.0.0.1:50052 --priority 0 &
 *   tactus link open --inputs motor --outputs crank_rate --persistent --out link.txt
 *   device link.txt 1000
 *
 * With an external clock the device is the clock: each input is a tick. With a clock of the server each state is
 * answered by an input for the next tick. Each datagram of an external clock repeats the last inputs, so that it also
 * replaces lost datagrams. A microcontroller has other sockets and another clock; everything else stays as it is here.
 */
#define _POSIX_C_SOURCE 200112L
#include "clients/udp/tactus_udp.h"

#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { REPEATS = 4, TIMEOUT_MS = 20, SILENT_MOST = 250 }; /* inputs without an answer, 5 s: then the device gives up */

/* Reads a file written by `tactus link open --out`: one word and its value per line. Returns whether it is complete. */
static int read_link(const char* path, tactus_udp_link* link, char host[64], char port[16], int* external) {
  FILE* file = fopen(path, "r");
  char word[32], value[128];
  int found = 0;
  while (file && fscanf(file, "%31s %127s", word, value) == 2) {
    const uint64_t number = strtoull(value, NULL, 16);
    ++found;
    if (strcmp(word, "host") == 0)
      snprintf(host, 64, "%.63s", value);
    else if (strcmp(word, "port") == 0)
      snprintf(port, 16, "%.15s", value);
    else if (strcmp(word, "token") == 0)
      link->token = number;
    else if (strcmp(word, "input_layout") == 0)
      link->input_layout = number;
    else if (strcmp(word, "output_layout") == 0)
      link->output_layout = number;
    else if (strcmp(word, "inputs") == 0)
      link->inputs = strtoul(value, NULL, 10);
    else if (strcmp(word, "outputs") == 0)
      link->outputs = strtoul(value, NULL, 10);
    else if (strcmp(word, "clock") == 0)
      *external = strcmp(value, "external") == 0;
    else if (strcmp(word, "key") == 0)
      for (int i = 0; i < 16; ++i) sscanf(value + 2 * i, "%2" SCNx8, &link->key[i]);
    else
      --found;
  }
  if (file) fclose(file);
  return found == 9;
}

/* A socket connected to the server that waits at most TIMEOUT_MS for an answer. Returns -1 on failure. */
static int open_socket(const char* host, const char* port) {
  struct addrinfo hints = {.ai_socktype = SOCK_DGRAM}, *found = NULL;
  if (getaddrinfo(host, port, &hints, &found) != 0) return -1;
  const int fd = socket(found->ai_family, SOCK_DGRAM, 0);
  const struct timeval timeout = {.tv_usec = 1000 * TIMEOUT_MS};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  const int failed = connect(fd, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return failed ? -1 : fd;
}

/* Number of the first datagram: the wall clock, us. A device that has started again goes on above its last number. */
static uint64_t first_number(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

int main(int argc, char** argv) {
  tactus_udp_link link = {0};
  char host[64] = "", port[16] = "";
  int external = 0;
  if (argc != 3 || !read_link(argv[1], &link, host, port, &external) || link.inputs != 1 || link.outputs != 1) {
    fprintf(stderr, "usage: device LINK_FILE TICKS, for a link with one input and one output\n");
    return 2;
  }
  char* end = argv[2];
  const int64_t ticks = strtoll(argv[2], &end, 10);
  if (ticks < 1 || *end != 0) return fprintf(stderr, "device: TICKS must be a whole number above zero\n"), 2;
  const int fd = open_socket(host, port);
  if (fd < 0) return perror("device: cannot connect to the server"), 1;

  uint8_t buffer[TACTUS_UDP_LARGEST];
  tactus_udp_state state = {0};
  double torques[REPEATS] = {0}, rate = 0;
  const uint64_t first = first_number();
  int64_t answers = 0, unanswered = 0, silent = 0, next = 0;
  for (int64_t sent = 0; sent < ticks; ++sent) {
    /* The newest input first, then the inputs before it. */
    memmove(torques + 1, torques, sizeof torques - sizeof torques[0]);
    torques[0] = 1.0 - 0.1 * rate;
    /* An external clock names its ticks from its first answer on, and repeats what may be lost. */
    const size_t sets = next == 0 ? 1 : sent + 1 < REPEATS ? (size_t)sent + 1 : REPEATS;
    const uint64_t number = first + (uint64_t)sent;
    const int64_t named = next;
    const size_t size = tactus_udp_write_input(&link, number, named, state.sequence, 0, torques, sets, buffer);
    if (send(fd, buffer, size, 0) < 0) perror("device: send");

    /* The next state, or the refusal of this input. With an external clock the answers of inputs before may come late:
     * they bring a state, too, but this input has an answer of its own. */
    tactus_udp_state got = {0};
    int kind = TACTUS_UDP_NOTHING;
    do {
      const ssize_t length = recv(fd, buffer, sizeof buffer, 0);
      /* No server listens there: the answer that does not come is waited for. */
      if (length < 0 && errno == ECONNREFUSED) nanosleep(&(struct timespec){.tv_nsec = 1000000L * TIMEOUT_MS}, NULL);
      kind = length > 0 ? tactus_udp_read(&link, buffer, (size_t)length, &got) : TACTUS_UDP_NOTHING;
      if (kind == TACTUS_UDP_STATE && got.sequence > state.sequence) state = got, rate = tactus_udp_value(&got, 0);
      if (kind == TACTUS_UDP_STATE && external && got.tick + 1 > next) next = got.tick + 1;
    } while ((kind == TACTUS_UDP_STATE && got.tick < named) ||
             (kind == TACTUS_UDP_REFUSAL && got.acknowledged < number));

    /* Its tick was made without it, by an input that named none. */
    const int late = kind == TACTUS_UDP_REFUSAL && got.flags == TACTUS_UDP_LATE;
    if (kind == TACTUS_UDP_STATE) ++answers;
    if (kind == TACTUS_UDP_NOTHING) ++unanswered, next += next > 0;
    silent = kind == TACTUS_UDP_NOTHING ? silent + 1 : 0;
    if (silent == SILENT_MOST)
      return fprintf(stderr, "device: no answer at tick %" PRId64 " any more: the server or the link has ended\n",
                     state.tick),
             3;
    if (late) ++unanswered, next = got.tick + 1;
    if (kind == TACTUS_UDP_REFUSAL && !late)
      return fprintf(stderr, "device: input %" PRIu64 " refused, code %d\n", got.acknowledged, got.flags), 4;
    if (kind == TACTUS_UDP_STATE && (state.mode == TACTUS_UDP_SAFE || state.mode == TACTUS_UDP_RAMPING) && answers == 1)
      fprintf(stderr, "device: inputs are ignored: the session is in its safe state; tactus clear leaves it\n");
  }
  printf("tick %" PRId64 ", rate %.9g, %" PRId64 " without an answer\n", state.tick, rate, unanswered);
  close(fd);
  return answers > 0 ? 0 : 1;
}

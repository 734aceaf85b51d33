/* tactus_udp.h: the datagrams of Tactus in C99, for devices. One header without dependencies; it allocates nothing and
 * opens no socket. It writes and reads buffers; the device sends and receives them. README.md describes the bytes.
 *
 *   uint8_t buffer[TACTUS_UDP_LARGEST];
 *   size_t size = tactus_udp_write_input(&link, sequence, tick, acknowledged, now_ns, values, 1, buffer);
 *   ... send it, receive an answer into buffer ...
 *   tactus_udp_state state;
 *   if (tactus_udp_read(&link, buffer, size, &state) == TACTUS_UDP_STATE) use(tactus_udp_value(&state, 0));
 */
#ifndef TACTUS_UDP_H
#define TACTUS_UDP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TACTUS_UDP_LARGEST 1472u /* maximum bytes of a datagram */
#define TACTUS_UDP_HEADER 80u    /* bytes before the values */
#define TACTUS_UDP_TAG 8u        /* bytes after the values */
#define TACTUS_UDP_VALUES 173u   /* maximum number of doubles, repeated inputs included */

/* The agreement of OpenDeviceLink: token, key, hashes of the layouts, number of values of each. */
typedef struct {
  uint64_t token;
  uint8_t key[16];
  uint64_t input_layout, output_layout;
  size_t inputs, outputs;
} tactus_udp_link;

/* Kind of a received datagram. */
enum {
  TACTUS_UDP_NOTHING = 0, /* of another link, or not authentic: ignore it */
  TACTUS_UDP_STATE = 2,
  TACTUS_UDP_REFUSAL = 3 /* an input was not used; `flags` holds the reason */
};

/* Bits of `flags` in a state. */
enum {
  TACTUS_UDP_OVERRUN = 1,             /* the tick was late */
  TACTUS_UDP_INPUT_HELD = 2,          /* the tick had no new input */
  TACTUS_UDP_FAULT = 4,               /* the step failed; the values are those of the last good state */
  TACTUS_UDP_STATES_MISSED = 8,       /* states before this one were not sent */
  TACTUS_UDP_NOT_CONVERGED = 16,      /* the last Newton increment exceeded its limit */
  TACTUS_UDP_PARAMETERS_CHANGED = 32, /* since the previous state */
  TACTUS_UDP_GROUP_IGNORED = 256      /* times 2^g: inputs of group g are ignored, g in the order of Session.groups */
};

/* Values of `flags` in a refusal. */
enum {
  TACTUS_UDP_LAYOUT = 1,       /* wrong layout hash or number of values */
  TACTUS_UDP_NOT_FINITE = 2,   /* value `index` is NaN or infinite */
  TACTUS_UDP_OUT_OF_RANGE = 3, /* value `index` is outside the range of its actuator */
  TACTUS_UDP_LATE = 4,         /* the named tick is past */
  TACTUS_UDP_TOO_FAR = 5,      /* the named tick is too far ahead */
  TACTUS_UDP_NOT_TICKING = 6   /* the session does not tick */
};

/* Values of `mode` in a state: what determined the actuator values, over all groups. */
enum {
  TACTUS_UDP_FREE = 1,          /* no controller is expected to send inputs */
  TACTUS_UDP_DRIVEN = 2,        /* a controller sends inputs */
  TACTUS_UDP_HOLDING = 3,       /* the controller is lost; values are held until the next input */
  TACTUS_UDP_SAFE = 4,          /* safe state; inputs are ignored until ClearSafeState */
  TACTUS_UDP_EXTRAPOLATING = 5, /* the controller is lost; values are extrapolated until the next input */
  TACTUS_UDP_RAMPING = 6        /* values move to the safe state; inputs are ignored until ClearSafeState */
};

/* A state or a refusal. */
typedef struct {
  uint16_t flags;
  uint8_t mode;
  uint64_t sequence;     /* number of the state, from 1 */
  int64_t tick;          /* tick of the values; in a refusal: the newest tick */
  int64_t sim_time_ns;   /* simulated time: tick times period */
  int64_t sent_ns;       /* wall clock of the server, ns since 1970 */
  uint64_t acknowledged; /* number of the input that the tick used; in a refusal: of the refused input */
  uint64_t missed;       /* states that were due and not sent since the link was opened */
  uint32_t index;        /* ticks since this input was first used; in a refusal: number of the bad value */
  size_t count;          /* number of values */
  const uint8_t* values; /* inside the received buffer; read them by tactus_udp_value() */
} tactus_udp_state;

static inline uint64_t tactus_udp_get(const uint8_t* at, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value |= (uint64_t)at[i] << (8 * i);
  return value;
}

static inline void tactus_udp_put(uint8_t* at, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) at[i] = (uint8_t)(value >> (8 * i));
}

static inline uint64_t tactus_udp_rotate(uint64_t x, int bits) {
  return x << bits | x >> (64 - bits);
}

static inline void tactus_udp_round(uint64_t v[4]) {
  v[0] += v[1], v[1] = tactus_udp_rotate(v[1], 13) ^ v[0], v[0] = tactus_udp_rotate(v[0], 32);
  v[2] += v[3], v[3] = tactus_udp_rotate(v[3], 16) ^ v[2];
  v[0] += v[3], v[3] = tactus_udp_rotate(v[3], 21) ^ v[0];
  v[2] += v[1], v[1] = tactus_udp_rotate(v[1], 17) ^ v[2], v[2] = tactus_udp_rotate(v[2], 32);
}

/* SipHash-2-4 (Aumasson and Bernstein, 2012). */
static inline uint64_t tactus_udp_siphash(const uint8_t key[16], const uint8_t* bytes, size_t size) {
  const uint64_t k0 = tactus_udp_get(key, 8), k1 = tactus_udp_get(key + 8, 8);
  uint64_t v[4] = {k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
                   k1 ^ 0x7465646279746573u};
  const size_t whole = size - size % 8;
  for (size_t at = 0; at <= whole; at += 8) {
    uint64_t word;
    if (at < whole)
      word = tactus_udp_get(bytes + at, 8);
    else
      word = tactus_udp_get(bytes + at, size % 8) | (uint64_t)size << 56;
    v[3] ^= word;
    tactus_udp_round(v);
    tactus_udp_round(v);
    v[0] ^= word;
  }
  v[2] ^= 255;
  for (int round = 0; round < 4; ++round) tactus_udp_round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Writes an input to `out`, a buffer of TACTUS_UDP_LARGEST bytes.
 *
 * sequence      number of the datagram: 1, 2, 3, ...; never use a number twice with the same key
 * tick          the tick that shall use the input; 0: the next tick
 * acknowledged  `sequence` of the newest received state; 0 before the first
 * now_ns        time of any clock, ns; the server does not use it
 * values        link->inputs doubles for each set, in the units of the actuators, the newest set first; set i repeats
 *               the input of datagram sequence - i
 * sets          1, or more to repeat inputs that may have been lost; at most 255
 * returns       length in bytes; 0 if the values do not fit into a datagram */
static inline size_t tactus_udp_write_input(const tactus_udp_link* link, uint64_t sequence, int64_t tick,
                                            uint64_t acknowledged, int64_t now_ns, const double* values, size_t sets,
                                            uint8_t* out) {
  const size_t count = link->inputs * sets;
  if (sets < 1 || sets > 255 || count > TACTUS_UDP_VALUES) return 0;
  memset(out, 0, TACTUS_UDP_HEADER);
  memcpy(out, "TACT", 4);
  out[4] = 1; /* version */
  out[5] = 1; /* an input */
  tactus_udp_put(out + 8, link->token, 8);
  tactus_udp_put(out + 16, link->input_layout, 8);
  tactus_udp_put(out + 24, sequence, 8);
  tactus_udp_put(out + 32, (uint64_t)tick, 8);
  tactus_udp_put(out + 48, (uint64_t)now_ns, 8);
  tactus_udp_put(out + 56, acknowledged, 8);
  tactus_udp_put(out + 76, link->inputs, 2);
  tactus_udp_put(out + 78, sets, 1);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, values + i, 8);
    tactus_udp_put(out + TACTUS_UDP_HEADER + 8 * i, bits, 8);
  }
  const size_t size = TACTUS_UDP_HEADER + 8 * count;
  tactus_udp_put(out + size, tactus_udp_siphash(link->key, out, size), 8);
  return size + TACTUS_UDP_TAG;
}

/* Reads a received datagram. Returns TACTUS_UDP_STATE or TACTUS_UDP_REFUSAL and fills `state`; or returns
 * TACTUS_UDP_NOTHING, with `state` unspecified. States may arrive out of order: compare their ticks. */
static inline int tactus_udp_read(const tactus_udp_link* link, const uint8_t* bytes, size_t size,
                                  tactus_udp_state* state) {
  if (size < TACTUS_UDP_HEADER + TACTUS_UDP_TAG || size > TACTUS_UDP_LARGEST) return TACTUS_UDP_NOTHING;
  const int kind = bytes[5];
  if (memcmp(bytes, "TACT", 4) != 0 || bytes[4] != 1) return TACTUS_UDP_NOTHING;
  if (kind != TACTUS_UDP_STATE && kind != TACTUS_UDP_REFUSAL) return TACTUS_UDP_NOTHING;
  if (tactus_udp_get(bytes + 8, 8) != link->token) return TACTUS_UDP_NOTHING;
  const size_t signed_size = size - TACTUS_UDP_TAG;
  if (tactus_udp_siphash(link->key, bytes, signed_size) != tactus_udp_get(bytes + signed_size, 8))
    return TACTUS_UDP_NOTHING;

  state->flags = (uint16_t)tactus_udp_get(bytes + 6, 2);
  state->sequence = tactus_udp_get(bytes + 24, 8);
  state->tick = (int64_t)tactus_udp_get(bytes + 32, 8);
  state->sim_time_ns = (int64_t)tactus_udp_get(bytes + 40, 8);
  state->sent_ns = (int64_t)tactus_udp_get(bytes + 48, 8);
  state->acknowledged = tactus_udp_get(bytes + 56, 8);
  state->missed = tactus_udp_get(bytes + 64, 8);
  state->index = (uint32_t)tactus_udp_get(bytes + 72, 4);
  state->count = (size_t)tactus_udp_get(bytes + 76, 2);
  state->mode = bytes[79];
  state->values = bytes + TACTUS_UDP_HEADER;
  if (signed_size != TACTUS_UDP_HEADER + 8 * state->count) return TACTUS_UDP_NOTHING;
  if (kind == TACTUS_UDP_STATE && tactus_udp_get(bytes + 16, 8) != link->output_layout) return TACTUS_UDP_NOTHING;
  return kind;
}

/* Value i of a state, 0 <= i < count, in the order of the outputs and in the SI unit of its signal. */
static inline double tactus_udp_value(const tactus_udp_state* state, size_t i) {
  const uint64_t bits = tactus_udp_get(state->values + 8 * i, 8);
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

#endif

// SPDX-License-Identifier: Apache-2.0
/// @file base.h
/// Statuses, errors with a position, arenas, text, hashes, locale-free numbers and counter-based
/// random numbers, which all other headers use.
///
/// The functions keep no global state, print nothing and never exit. They may be called from several
/// threads at once as long as the threads do not share objects that are written to.
#ifndef UPTACK_BASE_H
#define UPTACK_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define UT_API
#else
#define UT_API __attribute__((visibility("default")))
#endif

#if defined(__GNUC__)
#define UT_PRINTF(string, first) __attribute__((format(printf, string, first)))
#else
#define UT_PRINTF(string, first)
#endif

// ---- version ------------------------------------------------------------------------------------

#define UT_VERSION_MAJOR 0
#define UT_VERSION_MINOR 1
#define UT_VERSION_PATCH 0

/// The version of these headers as one number that grows: 10000 major + 100 minor + patch.
#define UT_VERSION (10000 * UT_VERSION_MAJOR + 100 * UT_VERSION_MINOR + UT_VERSION_PATCH)

/// The version of the library that the program runs with, in the same form. Before 1.0 a program
/// needs the library whose major and minor numbers its headers have.
UT_API int ut_version(void);

/// The same as text: "0.1.0".
UT_API const char* ut_version_text(void);

// ---- statuses -----------------------------------------------------------------------------------

/// Whether a call was carried out. How well a *problem* was solved is an outcome in the info struct
/// of the call, never a status.
typedef enum utStatus {
    UT_OK = 0,       ///< done; all outputs are filled
    UT_ERR_ARGUMENT, ///< an argument cannot be used: NULL, a bad size, a number that is not finite
    UT_ERR_DEF, ///< a settings struct that did not come from its def function, or holds a bad value
    UT_ERR_CAPACITY,  ///< an arena could not give the memory that is needed; nothing changed
    UT_ERR_MEMORY,    ///< the allocator gave no memory
    UT_ERR_FORMAT,    ///< a text or file does not follow its format
    UT_ERR_IO,        ///< a file cannot be opened, read or written
    UT_ERR_NOT_TAKEN, ///< a step is not certified and was not taken: the state is unchanged
    UT_STATUS_COUNT   ///< number of statuses; never returned
} utStatus;

/// @return a description, for example "malformed input"; never NULL
UT_API const char* ut_status_text(utStatus status);

/// Return from the enclosing function when `call` does not give UT_OK.
#define UT_TRY(call)                     \
    do {                                 \
        utStatus ut_try_status = (call); \
        if (ut_try_status != UT_OK) {    \
            return ut_try_status;        \
        }                                \
    } while (0)

// ---- errors -------------------------------------------------------------------------------------

/// The cause of a failure, its place in a file, and advice. Plain data, owned by the caller.
typedef struct utError {
    utStatus status;
    int line;          ///< 1-based; 0 when the error has no place in a file
    int column;        ///< 1-based, in bytes; 0 when unknown
    char file[256];    ///< as the caller named it; empty when there is none
    char message[256]; ///< "what is wrong; what would help"
} utError;

/// Fill `err` without a position. @param err may be NULL @return `status`, for use in a return
UT_API utStatus ut_error_set(utError* err, utStatus status, const char* format, ...)
    UT_PRINTF(3, 4);

/// Fill `err` with a position. @param err may be NULL @return `status`
UT_API utStatus ut_error_at(utError* err, utStatus status, const char* file, int line, int column,
                            const char* format, ...) UT_PRINTF(6, 7);

/// Write "file:line:col: error: message" into `text`, without unknown parts, always terminated.
/// @param size bytes of `text`, at least 1
UT_API void ut_error_format(const utError* err, char* text, size_t size);

// ---- memory -------------------------------------------------------------------------------------

/// A source of memory. A NULL utAllocator* means malloc and free.
typedef struct utAllocator {
    void* (*allocate)(void* context, size_t size); ///< returns NULL without memory
    void (*release)(void* context, void* memory, size_t size);
    void* context;
} utAllocator;

/// A block of an arena's memory; private.
typedef struct utArenaBlock {
    unsigned char* highest; ///< one past the last byte that was ever in use; private fields follow
} utArenaBlock;

/// Memory that is handed out front to back, given back all at once, and grows.
///
///     utArena arena;
///     utStatus status = ut_arena_create(0, NULL, &arena);
///     double* x = UT_PUSH(&arena, double, n);   // NULL when there is no memory
///     ut_arena_destroy(&arena);
///
/// A function that takes an arena by value (`utArena scratch`) may use the rest of it, and the memory
/// it pushed is free again when it returns. Memory that a function pushes on an arena passed by
/// pointer (`utArena* keep`) outlives the call. When a block is full, a larger one is allocated.
/// Blocks stay until the arena is destroyed, so repeated calls stop allocating after the first ones.
/// An arena and its copies belong to one thread at a time.
///
/// Failure is permanent: after a push failed, every further push fails too. A function can push all
/// its arrays and call ut_arena_failed once.
typedef struct utArena {
    unsigned char* next; ///< first free byte
    unsigned char* end;  ///< one past the last byte of this block
    utArenaBlock* block; ///< NULL: memory of ut_arena_on, which does not grow
    bool failed;         ///< a push failed
} utArena;

enum { UT_ARENA_ALIGNMENT = 64 }; ///< every push starts on a cache line

/// Allocate the first block.
/// @param size      bytes of the first block; 0: a good default
/// @param allocator copied; NULL: malloc and free
/// @return UT_ERR_MEMORY when there is no memory; the arena is then unchanged
UT_API utStatus ut_arena_create(size_t size, const utAllocator* allocator, utArena* arena);

/// Release all blocks. @param arena of ut_arena_create, after any number of pushes, or {0}
UT_API void ut_arena_destroy(utArena* arena);

/// An arena on memory of the caller, which does not grow. @param size bytes at `memory`
UT_API utArena ut_arena_on(void* memory, size_t size);

/// Take `count * size` bytes, which are not cleared. @return NULL when there is no memory, when the
/// product overflows, or when an earlier push of this arena failed
UT_API void* ut_arena_push(utArena* arena, size_t count, size_t size);

/// @return true after a push of this arena failed
UT_API bool ut_arena_failed(const utArena* arena);

/// The most bytes that the arena and its copies had in use at once since ut_arena_create. With this
/// much memory, and one cache line per block, a program can repeat the same calls on ut_arena_on.
/// @return 0 for an arena of ut_arena_on
UT_API size_t ut_arena_peak(const utArena* arena);

/// ut_arena_push without a call where the block has held as much before, because a step pushes
/// hundreds of arrays.
static inline void* ut_arena_take(utArena* arena, size_t count, size_t size)
{
    const uintptr_t next = (uintptr_t)arena->next;
    const uintptr_t begin = next + (0 - next) % UT_ARENA_ALIGNMENT;
    const bool small = (count | size) < 0x8000; // count * size cannot overflow
    if (arena->block == NULL || arena->failed || !small ||
        begin + count * size > (uintptr_t)arena->block->highest) {
        return ut_arena_push(arena, count, size);
    }
    unsigned char* memory = arena->next + (begin - next);
    arena->next = memory + count * size;
    return memory;
}

/// `double* x = UT_PUSH(&scratch, double, n);` gives n doubles, or NULL.
#define UT_PUSH(arena, type, count) ((type*)ut_arena_take((arena), (size_t)(count), sizeof(type)))

/// The value of a def's `cookie` field, which says which def it is and the version of its layout. The
/// def's function sets it and the functions that use the def check it.
/// Taken ids: 1 utSimDef, 2 utLoadDef, 3 utMjcfDef, 4 utRecordDef, 5 utLcpDef, 6 utNcpDef,
/// 7 utCoulombDef, 8 utPolyhedralDef, 9 utSection, 10 utOptions, 11 utBodyDef, 12 utJointDef,
/// 13 utGeomDef, 14 utSiteDef, 15 utPointDef, 16 utMotionDef, 17 utSpringDef, 18 utActuatorDef,
/// 19 utEqualityDef, 20 utFrictionDef, 21 utContactLcpDef, 22 utPrintedDef, 23 utMeshDef,
/// 24 utHeightsDef, 25 utPairDef, 26 utTendonDef, 27 utSensorDef, 28 utUrdfDef, 29 utMjcfWriteDef,
/// 30 utLimits, 31 utBatchDef.
/// @param id      1 to 255, unique for every def
/// @param version 1 to 255, counted up when the layout of the def changes
#define UT_COOKIE(id, version) (0x75740000u + ((uint32_t)(id) << 8) + (uint32_t)(version))

// ---- text ---------------------------------------------------------------------------------------

/// A piece of text, not necessarily terminated.
typedef struct utText {
    const char* data;
    size_t size;
} utText;

/// Read a complete file into `keep`, followed by a 0 byte that `text->size` does not count.
/// @param path "-" reads standard input
/// @param limit the largest size in bytes that is accepted; 0 for 1 GiB
/// @return UT_ERR_IO when it cannot be read or is over the limit, UT_ERR_CAPACITY when `keep` has no
///         room for it (the bytes already read from a pipe are then lost), UT_ERR_MEMORY when the
///         system has no memory to open it
UT_API utStatus ut_text_read(const char* path, size_t limit, utArena* keep, utText* text,
                             utError* err);

/// Read a number as C writes it in decimal ("-1.5e-3", ".5", "5."; no hexadecimal, no "inf", no
/// "nan", no white space before it), the same in every locale and rounded correctly to nearest
/// even. A number that is too small for a double is read as 0 with its sign.
/// @param end one past the last character that may be read
/// @return the first character after the number, or NULL when there is no number at `begin` or it
///         overflows a double; `value` is then unchanged
UT_API const char* ut_number_read(const char* begin, const char* end, double* value);

enum { UT_NUMBER_SIZE = 32 }; ///< bytes of a printed number with its final 0

/// Print as C's "%.17g" does in the "C" locale; "inf", "-inf" or "nan" when not finite.
/// @return characters written, without the final 0
UT_API int ut_number_write(double value, char text[UT_NUMBER_SIZE]);

/// Print with the fewest digits (15, 16 or 17; for subnormal numbers from 1) that read back to the
/// same bits, in any locale.
/// @return characters written, without the final 0
UT_API int ut_number_write_short(double value, char text[UT_NUMBER_SIZE]);

// ---- hash ---------------------------------------------------------------------------------------

/// The start of a hash: the offset basis of 64-bit FNV-1a.
#define UT_HASH_START UINT64_C(0xcbf29ce484222325)

/// FNV-1a of `size` bytes, continued from `hash`.
UT_API uint64_t ut_hash_bytes(uint64_t hash, const void* bytes, size_t size);

/// FNV-1a of doubles as little-endian bytes, with +0 for -0, so equal numbers have equal hashes.
UT_API uint64_t ut_hash_doubles(uint64_t hash, const double* values, size_t count);

// ---- random numbers -----------------------------------------------------------------------------

/// A counter-based generator (Philox 4x32, 10 rounds): number k of stream (seed, stream) is a
/// function of these three values alone, so results never depend on threads or order.
typedef struct utRng {
    uint64_t seed;
    uint64_t stream;
    uint64_t counter; ///< blocks of four 32-bit words drawn so far
    uint32_t block[4];
    int left; ///< words of `block` that were not used yet
} utRng;

/// The raw generator: ten Philox rounds of a 128-bit counter under a 64-bit key.
UT_API void ut_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

UT_API utRng ut_rng(uint64_t seed, uint64_t stream);
UT_API uint64_t ut_rng_u64(utRng* rng);
UT_API double ut_rng_uniform(utRng* rng);                     ///< in [0, 1), 53 bits
UT_API double ut_rng_range(utRng* rng, double lo, double hi); ///< in [lo, hi); lo if hi <= lo
UT_API int ut_rng_below(utRng* rng, int count); ///< 0 ... count-1, unbiased; count > 0
UT_API double ut_rng_normal(utRng* rng);        ///< approximately normal(0, 1): 12 uniforms

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
// NumPy's .npz: a ZIP archive of .npy files, stored without compression.
//
//     .npy   93 "NUMPY" 1 0, u16 size of the header, the header {'descr': '<f8', 'fortran_order':
//            False, 'shape': (3, 2), } with spaces and a line feed up to a multiple of 64, the numbers
//     .zip   per file: a local head, its name, its bytes; then the directory and its end
#include "convert/arrays.h"
#include "crc32.h"
#include "output.h"

#include <string.h>

enum { MAX_FILES = 128, LOCAL_HEAD = 30, ENTRY_HEAD = 46, END_HEAD = 22, HEADER_ROOM = 256 };

// The first bytes of each part.
static const unsigned char npy_mark[8] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
static const unsigned char file_mark[4] = {'P', 'K', 3, 4};
static const unsigned char entry_mark[4] = {'P', 'K', 1, 2};
static const unsigned char end_mark[4] = {'P', 'K', 5, 6};

typedef struct Entry {
    char name[48];
    uint32_t crc, size, offset;
} Entry;

typedef struct Npz {
    CliOutput output;
    uint64_t written; // bytes
    int files;
    Entry file[MAX_FILES];
} Npz;

// ---- bytes --------------------------------------------------------------------------------------

static utStatus put(Npz* z, const void* bytes, size_t size, utError* err)
{
    z->written += size;
    return cli_output_write(&z->output, bytes, size) ? UT_OK : cli_output_failed(&z->output, err);
}

// A number of 2 or 4 bytes, lowest byte first.
static unsigned char* number(unsigned char* at, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        at[i] = (unsigned char)(value >> (8 * i) & 0xff);
    }
    return at + bytes;
}

// The fields that a local head and an entry of the directory share. The date is 1980-01-01.
static unsigned char* shared_fields(unsigned char* at, const Entry* e)
{
    enum { VERSION = 20, STORED = 0, DATE = 0x21 };
    at = number(at, VERSION, 2);
    at = number(at, 0, 2);
    at = number(at, STORED, 2);
    at = number(at, 0, 2);
    at = number(at, DATE, 2);
    at = number(at, e->crc, 4);
    at = number(at, e->size, 4);
    at = number(at, e->size, 4);
    at = number(at, (uint32_t)strlen(e->name), 2);
    return number(at, 0, 2);
}

// ---- files --------------------------------------------------------------------------------------

// The head of a .npy file. @return its size
static size_t npy_head(const CliArray* array, char head[HEADER_ROOM])
{
    static const char* const types[] = {"<f8", "<i4", "<i8", "<u8"};
    enum { FIXED = 10 };
    char type[24], shape[64] = "";
    if (array->number == CLI_BYTES) {
        snprintf(type, sizeof type, "|S%zu", array->width);
    } else {
        snprintf(type, sizeof type, "%s", types[array->number]);
    }
    for (int k = 0; k < array->axes; k++) {
        const size_t used = strlen(shape);
        snprintf(shape + used, sizeof shape - used, "%zu, ", array->size[k]);
    }
    memcpy(head, npy_mark, sizeof npy_mark);
    const int text =
        snprintf(head + FIXED, HEADER_ROOM - FIXED,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    size_t size = FIXED + (size_t)text;
    while ((size + 1) % 64 != 0) {
        head[size++] = ' ';
    }
    head[size++] = '\n';
    (void)number((unsigned char*)head + 8, (uint32_t)(size - FIXED), 2);
    return size;
}

static utStatus add_array(void* context, const CliArray* array, utError* err)
{
    Npz* z = context;
    char head[HEADER_ROOM];
    const size_t head_size = npy_head(array, head);
    if (z->files == MAX_FILES || array->bytes > UINT32_MAX - HEADER_ROOM ||
        z->written + array->bytes > UINT32_MAX - (1 << 20)) {
        return ut_error_at(err, UT_ERR_ARGUMENT, z->output.path, 0, 0,
                           "a .npz file has at most 4 GiB; write .h5, or record with --every");
    }
    Entry* e = &z->file[z->files++];
    snprintf(e->name, sizeof e->name, "%s.npy", array->name);
    e->crc = cli_crc32(cli_crc32(0, head, head_size), array->data, array->bytes);
    e->size = (uint32_t)(head_size + array->bytes);
    e->offset = (uint32_t)z->written;
    unsigned char local[LOCAL_HEAD];
    memcpy(local, file_mark, sizeof file_mark);
    (void)shared_fields(local + 4, e);
    UT_TRY(put(z, local, sizeof local, err));
    UT_TRY(put(z, e->name, strlen(e->name), err));
    UT_TRY(put(z, head, head_size, err));
    return put(z, array->data, array->bytes, err);
}

static utStatus put_directory(Npz* z, utError* err)
{
    const uint32_t begin = (uint32_t)z->written;
    for (int k = 0; k < z->files; k++) {
        const Entry* e = &z->file[k];
        unsigned char entry[ENTRY_HEAD] = {0};
        memcpy(entry, entry_mark, sizeof entry_mark);
        (void)number(entry + 4, 20, 2);
        (void)shared_fields(entry + 6, e);
        (void)number(entry + 42, e->offset, 4);
        UT_TRY(put(z, entry, sizeof entry, err));
        UT_TRY(put(z, e->name, strlen(e->name), err));
    }
    unsigned char end[END_HEAD] = {0};
    memcpy(end, end_mark, sizeof end_mark);
    (void)number(end + 8, (uint32_t)z->files, 2);
    (void)number(end + 10, (uint32_t)z->files, 2);
    (void)number(end + 12, (uint32_t)z->written - begin, 4);
    (void)number(end + 16, begin, 4);
    return put(z, end, sizeof end, err);
}

utStatus cli_write_npz_of(CliArraySource* source, void* context, const char* path, utError* err)
{
    Npz z = {0};
    UT_TRY(cli_output_open(path, &z.output, err));
    utStatus status = source(context, add_array, &z, err);
    status = status == UT_OK ? put_directory(&z, err) : status;
    return cli_output_close(&z.output, true, status, err);
}

// SPDX-License-Identifier: Apache-2.0
// Files that verbs write.
#include "output.h"

#include <errno.h>
#include <string.h>

// ---- files --------------------------------------------------------------------------------------

utStatus cli_output_open(const char* path, CliOutput* output, utError* err)
{
    *output = (CliOutput){.path = path, .file = fopen(path, "wb")};
    return output->file != NULL
               ? UT_OK
               : ut_error_at(err, UT_ERR_IO, path, 0, 0, "cannot be written: %s; check the folder",
                             strerror(errno));
}

bool cli_output_write(void* context, const char* text, size_t size)
{
    CliOutput* output = context;
    errno = 0;
    if (fwrite(text, 1, size, output->file) == size) {
        return true;
    }
    output->code = errno;
    return false;
}

bool cli_output_flush(CliOutput* output)
{
    errno = 0;
    if (fflush(output->file) == 0) {
        return true;
    }
    output->code = output->code != 0 ? output->code : errno;
    return false;
}

utStatus cli_output_failed(const CliOutput* output, utError* err)
{
    return ut_error_at(err, UT_ERR_IO, output->path, 0, 0, "cannot be written: %s",
                       output->code != 0 ? strerror(output->code) : "unknown reason");
}

utStatus cli_output_close(CliOutput* output, bool complete, utStatus status, utError* err)
{
    if (output->file == NULL) {
        return status;
    }
    errno = 0;
    if (fclose(output->file) != 0) {
        output->code = output->code != 0 ? output->code : errno;
        complete = false;
    }
    output->file = NULL;
    return complete || status != UT_OK ? status : cli_output_failed(output, err);
}

// ---- tables -------------------------------------------------------------------------------------

utStatus cli_table_open(const char* path, const utModel* model, CliTable* table, utError* err)
{
    *table = (CliTable){0};
    if (path == NULL) {
        return UT_OK;
    }
    UT_TRY(cli_output_open(path, &table->output, err));
    const bool created = ut_arena_create(0, NULL, &table->memory) == UT_OK &&
                         ut_csv_create(model, cli_output_write, &table->output, &table->memory,
                                       &table->csv) == UT_OK;
    return created ? UT_OK : cli_no_memory(path, err);
}

utStatus cli_table_close(CliTable* table, utStatus status, utError* err)
{
    const bool begun = table->csv.out.sink != NULL;
    const bool complete = begun && ut_csv_flush(&table->csv);
    status = cli_output_close(&table->output, complete, status, err);
    ut_arena_destroy(&table->memory);
    return status;
}

// SPDX-License-Identifier: Apache-2.0
// The element hfield of `asset`: a height field from a file or from the attribute elevation.
#include "io/internal.h"

#include <string.h>

#include "io/mesh/mesh_file.h"

static int count_words(const char* list)
{
    utText word;
    int count = 0;
    while (ut_word_next(&list, &word)) {
        count++;
    }
    return count;
}

// Reverse the order of the rows.
static void flip(size_t rows, size_t columns, double* height)
{
    for (size_t i = 0; i < rows / 2; i++) {
        double* low = height + i * columns;
        double* high = height + (rows - 1 - i) * columns;
        for (size_t k = 0; k < columns; k++) {
            const double swap = low[k];
            low[k] = high[k];
            high[k] = swap;
        }
    }
}

// The heights of the attribute, else 0. Its first row is that of the largest y.
static utStatus read_elevation(Mjcf* m, MjcfFound found, utHeightsDef* d)
{
    const int heights = d->rows * d->columns; // the limit of pixels holds
    const int given = found.attribute != NULL ? count_words(found.attribute->value) : heights;
    if (given != heights) {
        return ut_mjcf_fail_at(m, found, 0, "%d numbers; nrow times ncol is %d", given, heights);
    }
    double* height = UT_PUSH(&m->memory, double, heights);
    if (height == NULL) {
        return ut_mjcf_no_memory(m);
    }
    memset(height, 0, (size_t)heights * sizeof *height);
    if (found.attribute != NULL) {
        UT_TRY(ut_mjcf_numbers(m, found, heights, heights, height, NULL));
        flip((size_t)d->rows, (size_t)d->columns, height);
    }
    d->height = height;
    return UT_OK;
}

static utStatus read_heights(const MjcfPlace* p, utHeightsDef* d)
{
    Mjcf* m = p->m;
    const MjcfFound file = ut_mjcf_find(p, "file"), elevation = ut_mjcf_find(p, "elevation");
    const utLimits left = ut_mjcf_limits_left(m);
    if (file.attribute != NULL && file.attribute->value[0] != 0) {
        if (elevation.attribute != NULL) {
            return ut_mjcf_fail_at(m, elevation, 0, "elevation beside file; give one of them");
        }
        utText text;
        HeightsData data = {0};
        UT_TRY(ut_mjcf_asset_file(m, file, &d->file, &text));
        UT_TRY(ut_heights_decode(text, d->file, &left, &m->memory, &data, m->err));
        d->columns = data.columns;
        d->rows = data.rows;
        d->height = data.height;
        return UT_OK;
    }
    UT_TRY(ut_mjcf_get_int(p, "nrow", &d->rows));
    UT_TRY(ut_mjcf_get_int(p, "ncol", &d->columns));
    if (d->rows < 2 || d->columns < 2) {
        return ut_mjcf_fail(m, p->node, "an hfield needs a file, or nrow and ncol of at least 2");
    }
    if (d->rows > left.pixels / d->columns) {
        return ut_mjcf_fail(m, p->node, "%d x %d heights; utLimits.pixels allows %d", d->rows,
                            d->columns, left.pixels);
    }
    if (elevation.attribute == NULL && d->rows * d->columns > UT_FREE_PIXELS) {
        return ut_mjcf_fail(m, p->node,
                            "%d x %d heights without elevation; a flat field has at most %d",
                            d->rows, d->columns, UT_FREE_PIXELS);
    }
    return read_elevation(m, elevation, d);
}

utStatus ut_mjcf_use_heights(Mjcf* m, int index, int* number)
{
    MjcfHeights* heights = &m->parts.heights[index];
    utHeightsDef* d = &heights->def;
    if (heights->number < 0) {
        const MjcfPlace p = {.m = m, .node = heights->node};
        UT_TRY(read_heights(&p, d));
        if (d->rows < 2 || d->columns < 2) {
            return ut_mjcf_fail(m, heights->node,
                                "%d rows and %d columns of heights; at least 2 of each are needed",
                                d->rows, d->columns);
        }
        m->pixels += d->rows * d->columns;
        heights->number = m->parts.used_heights;
        m->parts.used_height[m->parts.used_heights++] = heights;
    }
    *number = heights->number;
    return UT_OK;
}

utStatus ut_mjcf_hfield(Mjcf* m, const XmlNode* node)
{
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    MjcfHeights* heights = &m->parts.heights[m->parts.height_fields];
    *heights = (MjcfHeights){.def = ut_heights_def(), .node = node, .number = -1};
    utHeightsDef* d = &heights->def;
    d->origin = ut_mjcf_origin(node);
    UT_TRY(ut_mjcf_get_name(&p, &m->names.heights, m->parts.height_fields, &d->name));
    UT_TRY(ut_mjcf_asset_name(&p, &m->names.heights, m->parts.height_fields, &d->name));
    const MjcfFound size = ut_mjcf_find(&p, "size");
    if (size.attribute == NULL) {
        return ut_mjcf_fail(m, node, "an hfield needs the attribute size");
    }
    UT_TRY(ut_mjcf_numbers(m, size, 4, 4, d->size, NULL));
    for (int k = 0; k < 4; k++) {
        if (!(d->size[k] > 0.0)) {
            return ut_mjcf_fail_at(m, size, 0, "the four sizes of an hfield must be positive");
        }
    }
    m->parts.height_fields++;
    return UT_OK;
}

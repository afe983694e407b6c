// SPDX-License-Identifier: Apache-2.0
// Reads the text form of problems (.fc), version 2: every kind of problem with one section. Version 3 is
// for torsional and rolling friction: d is 4 or 6, `section torsional` or `section rolling`, and
// `torsional ...` and for d = 6 `rolling ...`, nc numbers each, follow mu.
//
//   fc2 d nc nb                     dimension, contacts, scalar rows after the contacts
//   section circle                  or: segment, inscribed K, circumscribed K
//   speed V                         utCoulomb.speed
//   mu ...                          nc numbers
//   low ... high ...                nb numbers each, -inf and inf for none
//   W nnz   i j value ...           the local form: entries of W, then the d nc + nb numbers of q;
//                                   or by bodies:
//   nodes n   w ...                 velocities of each node
//   M ...                           the nodes' mass matrices, w x w each
//   groups   k node ...             for each contact and each scalar row: the number of its nodes,
//                                   and the nodes
//   J ...                           a block for each of these nodes, d x w or 1 x w
//   f ...   b ...
//   r ...                           impulses, optional
//
// '#' begins a comment; line breaks have no meaning.
#include <limits.h>
#include <string.h>

#include "read.h"

static bool is_word(const LcpScan* s, const char* text)
{
    return s->word.size == strlen(text) && memcmp(s->word.data, text, s->word.size) == 0;
}

static utStatus expect(LcpScan* s, const char* word)
{
    ut_lcp_scan_word(s);
    return is_word(s, word) ? UT_OK : ut_lcp_scan_unexpected(s, "'%s'", word);
}

// Check that the rest of the text can hold `count` numbers, before memory is pushed for them.
static utStatus check_count(const LcpScan* s, const char* name, double count)
{
    if (!(count <= INT_MAX) || !ut_lcp_scan_could_hold(s, count)) {
        return ut_lcp_scan_error(s, s->word.data,
                                 "%s has %.0f numbers, and the file only %zu more bytes", name,
                                 count, (size_t)(s->end - s->next));
    }
    return UT_OK;
}

// Read a name and its numbers.
static utStatus read_numbers(LcpScan* s, const char* name, double count, CoulombSign sign,
                             utArena* keep, const double** x)
{
    UT_TRY(expect(s, name));
    UT_TRY(check_count(s, name, count));
    double* room = UT_PUSH(keep, double, (size_t)count);
    if (room == NULL) {
        return ut_lcp_scan_full(s, (int)count);
    }
    *x = room;
    return ut_coulomb_read_vector(s, name, (int)count, sign, room);
}

// ---- sizes and friction -------------------------------------------------------------------------

static utStatus read_sizes(LcpScan* s, int version, utCoulomb* p)
{
    UT_TRY(ut_coulomb_read_count(s, 2, "d, the dimension", &p->dimension));
    if (version == 3 && p->dimension != 4 && p->dimension != 6) {
        return ut_lcp_scan_error(s, s->word.data,
                                 "d, the dimension, is %d; it is 4 with torsional and 6 with "
                                 "rolling friction",
                                 p->dimension);
    }
    if (version == 2 && p->dimension > 3) {
        return ut_lcp_scan_error(s, s->word.data,
                                 "d, the dimension, is %d; it is 2 in the plane and 3 in space",
                                 p->dimension);
    }
    UT_TRY(ut_coulomb_read_count(s, 0, "nc, the number of contacts", &p->contacts));
    UT_TRY(ut_coulomb_read_count(s, 0, "nb, the number of scalar rows", &p->bilaterals));
    const double rows = (double)p->dimension * p->contacts + p->bilaterals;
    if (rows < 1.0 || !(rows <= INT_MAX) || !ut_lcp_scan_could_hold(s, rows)) {
        return ut_lcp_scan_error(
            s, s->word.data,
            "d nc + nb is %.0f; it is at least 1, and each row has a number in "
            "the file",
            rows);
    }
    return UT_OK;
}

static utStatus read_section(LcpScan* s, int dimension, utArena* keep, const utSection** out)
{
    utSection* section = UT_PUSH(keep, utSection, 1);
    if (section == NULL) {
        return ut_lcp_scan_full(s, 1);
    }
    UT_TRY(expect(s, "section"));
    ut_lcp_scan_word(s);
    *out = section;
    if (dimension > 3) {
        *section = dimension == 4 ? ut_section_torsional() : ut_section_rolling();
        const char* name = dimension == 4 ? "torsional" : "rolling";
        return is_word(s, name) ? UT_OK : ut_lcp_scan_unexpected(s, "'%s'", name);
    }
    if (is_word(s, dimension == 2 ? "segment" : "circle")) {
        *section = dimension == 2 ? ut_section_segment() : ut_section_circle();
        return UT_OK;
    }
    const bool inscribed = is_word(s, "inscribed");
    if (dimension == 2 || (!inscribed && !is_word(s, "circumscribed"))) {
        return ut_lcp_scan_unexpected(s, dimension == 2
                                             ? "'segment', the only section in the plane"
                                             : "a section: circle, inscribed K or circumscribed K");
    }
    int edges;
    UT_TRY(ut_coulomb_read_count(s, 4, "the number of edges", &edges));
    utError why = {0};
    if (ut_section_polygon(inscribed ? UT_SECTION_INSCRIBED : UT_SECTION_CIRCUMSCRIBED, edges, 0.0,
                           section, &why) != UT_OK) {
        return ut_lcp_scan_error(s, s->word.data, "%s", why.message);
    }
    return UT_OK;
}

static utStatus read_friction(LcpScan* s, utArena* keep, utCoulomb* p)
{
    static const double none = 0.0;
    const double* speed = &none;
    UT_TRY(read_section(s, p->dimension, keep, &p->section));
    UT_TRY(read_numbers(s, "speed", 1, NOT_NEGATIVE, keep, &speed));
    p->speed = *speed;
    UT_TRY(read_numbers(s, "mu", p->contacts, NOT_NEGATIVE, keep, &p->mu));
    if (p->dimension > 3) {
        UT_TRY(read_numbers(s, "torsional", p->contacts, NOT_NEGATIVE, keep, &p->torsional));
    }
    if (p->dimension == 6) {
        UT_TRY(read_numbers(s, "rolling", p->contacts, NOT_NEGATIVE, keep, &p->rolling));
    }
    UT_TRY(read_numbers(s, "low", p->bilaterals, OR_INFINITE, keep, &p->low));
    return read_numbers(s, "high", p->bilaterals, OR_INFINITE, keep, &p->high);
}

// ---- by bodies ----------------------------------------------------------------------------------

static utStatus read_nodes(LcpScan* s, utArena* keep, utCoulomb* p, utCoulombBlocks* blocks)
{
    UT_TRY(ut_coulomb_read_count(s, 1, "the number of nodes", &blocks->nodes));
    UT_TRY(check_count(s, "nodes", blocks->nodes));
    int* start = UT_PUSH(keep, int, blocks->nodes + 1);
    if (start == NULL) {
        return ut_lcp_scan_full(s, blocks->nodes);
    }
    double masses = 0.0;
    start[0] = 0;
    for (int k = 0; k < blocks->nodes; k++) {
        int width;
        UT_TRY(ut_coulomb_read_count(s, 1, "the velocities of a node", &width));
        if (width > INT_MAX - start[k]) {
            return ut_lcp_scan_error(s, s->word.data, "there are too many velocities");
        }
        start[k + 1] = start[k] + width;
        masses += (double)width * width;
    }
    blocks->start = start;
    p->dof = start[blocks->nodes];
    return read_numbers(s, "M", masses, ANY_SIGN, keep, &blocks->M);
}

// Read the nodes of all groups. @param first, node NULL: only count @param touches number of nodes of all
// groups @param entries number of entries of J
static utStatus read_groups(LcpScan* s, const utCoulomb* p, const utCoulombBlocks* blocks,
                            int* first, int* node, int* touches, double* entries)
{
    *touches = 0;
    *entries = 0.0;
    for (int g = 0; g < p->contacts + p->bilaterals; g++) {
        int count;
        UT_TRY(ut_coulomb_read_count(s, 0, "the number of nodes of a group", &count));
        if (first != NULL) {
            first[g] = *touches;
        }
        for (int k = 0; k < count; k++) {
            int at;
            UT_TRY(ut_coulomb_read_count(s, 0, "the node of a group", &at));
            if (at >= blocks->nodes) {
                return ut_lcp_scan_error(s, s->word.data, "there is no node %d; there are %d", at,
                                         blocks->nodes);
            }
            if (node != NULL) {
                node[*touches] = at;
            }
            (*touches)++;
            *entries += (double)(g < p->contacts ? p->dimension : 1) *
                        (blocks->start[at + 1] - blocks->start[at]);
        }
    }
    if (first != NULL) {
        first[p->contacts + p->bilaterals] = *touches;
    }
    return UT_OK;
}

static utStatus read_bodies(LcpScan* s, utArena* keep, utCoulomb* p)
{
    utCoulombBlocks* blocks = UT_PUSH(keep, utCoulombBlocks, 1);
    if (blocks == NULL) {
        return ut_lcp_scan_full(s, 1);
    }
    UT_TRY(read_nodes(s, keep, p, blocks));
    UT_TRY(expect(s, "groups"));
    int touches;
    double entries;
    LcpScan ahead = *s; // count the nodes before memory is pushed for them
    UT_TRY(read_groups(&ahead, p, blocks, NULL, NULL, &touches, &entries));
    int* first = UT_PUSH(keep, int, p->contacts + p->bilaterals + 1);
    int* node = UT_PUSH(keep, int, touches);
    if (ut_arena_failed(keep)) {
        return ut_lcp_scan_full(s, touches);
    }
    UT_TRY(read_groups(s, p, blocks, first, node, &touches, &entries));
    blocks->first = first;
    blocks->node = node;
    p->blocks = blocks;
    UT_TRY(read_numbers(s, "J", entries, ANY_SIGN, keep, &blocks->J));
    UT_TRY(read_numbers(s, "f", p->dof, ANY_SIGN, keep, &p->f));
    return read_numbers(s, "b", ut_coulomb_rows(p), ANY_SIGN, keep, &p->b);
}

// ---- everything ---------------------------------------------------------------------------------

static utStatus read_local(LcpScan* s, utArena* keep, utArena scratch, utCoulomb* p)
{
    const int N = ut_coulomb_rows(p);
    int entries;
    UT_TRY(ut_coulomb_read_count(s, 0, "nnz, the number of entries of W", &entries));
    if (entries > (double)N * N || !ut_lcp_scan_could_hold(s, 3.0 * entries + N)) {
        return ut_lcp_scan_error(
            s, s->word.data,
            "nnz, the number of entries of W, is %d; W has only %.0f, and each "
            "stands in the file",
            entries, (double)N * N);
    }
    return ut_coulomb_read_local(s, N, entries, keep, scratch, p);
}

utStatus ut_coulomb_read_rest(LcpScan* s, int version, utArena* keep, utArena scratch,
                              utCoulomb* problem, const double** r)
{
    utCoulomb p = {0};
    UT_TRY(read_sizes(s, version, &p));
    UT_TRY(read_friction(s, keep, &p));
    ut_lcp_scan_word(s);
    const bool local = is_word(s, "W");
    if (!local && !is_word(s, "nodes")) {
        return ut_lcp_scan_unexpected(s, "'W' or 'nodes'");
    }
    UT_TRY(local ? read_local(s, keep, scratch, &p) : read_bodies(s, keep, &p));
    LcpScan ahead = *s;
    if (ut_lcp_scan_word(&ahead)) {
        UT_TRY(read_numbers(s, "r", ut_coulomb_rows(&p), ANY_SIGN, keep, r));
    }
    if (ut_lcp_scan_word(s)) {
        char quote[LCP_QUOTE_SIZE];
        return ut_lcp_scan_error(s, s->word.data, "extra text '%s' behind r",
                                 ut_lcp_scan_quote(s, quote));
    }
    *problem = p;
    return UT_OK;
}

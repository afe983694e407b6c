// C -= A B in tiles held in registers.
//
// B is packed into strips of WIDTH columns and A into strips of HEIGHT rows, both padded with
// zeros, so that the innermost loop reads memory in order whatever the leading dimensions are. A
// tile at the edge of C goes through a small copy.
#include "internal.h"
#include "kernel.h"

#if defined(__AVX__)
enum { VECTOR = 4 };
#else
enum { VECTOR = 2 };
#endif
typedef double Vector __attribute__((vector_size(8 * VECTOR), aligned(8), may_alias));

enum {
    HEIGHT = 4,         // rows of a tile
    WIDTH = 2 * VECTOR, // columns of a tile
    DEPTH = 48,         // products taken in one pass
    COLUMNS = 64,       // columns of B that stay packed: DEPTH x COLUMNS doubles of stack
    FEW_ROWS = 6,       // with fewer rows than this packing does not pay
};

// tile -= A B over k products; a holds HEIGHT values and b WIDTH values for each of them
static inline void tile_update(int k, const double* restrict a, const double* restrict b,
                               double* restrict C, int ldc)
{
    Vector acc[HEIGHT][2];
    for (int r = 0; r < HEIGHT; r++) {
        const Vector* row = (const Vector*)(C + entry(ldc, r, 0));
        acc[r][0] = row[0];
        acc[r][1] = row[1];
    }
    for (int p = 0; p < k; p++, a += HEIGHT, b += WIDTH) {
        const Vector* strip = (const Vector*)b;
        Vector b0 = strip[0];
        Vector b1 = strip[1];
        for (int r = 0; r < HEIGHT; r++) {
            acc[r][0] -= a[r] * b0;
            acc[r][1] -= a[r] * b1;
        }
    }
    for (int r = 0; r < HEIGHT; r++) {
        Vector* row = (Vector*)(C + entry(ldc, r, 0));
        row[0] = acc[r][0];
        row[1] = acc[r][1];
    }
}

// The same for a tile of which only some entries exist: row r has `columns[r]` of them.
static void edge_update(int k, const double* a, const double* b, int rows, const int* columns,
                        double* C, int ldc)
{
    double tile[HEIGHT * WIDTH] = {0.0};
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns[r]; c++) {
            tile[r * WIDTH + c] = C[entry(ldc, r, c)];
        }
    }
    tile_update(k, a, b, tile, WIDTH);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns[r]; c++) {
            C[entry(ldc, r, c)] = tile[r * WIDTH + c];
        }
    }
}

// packed[p * strip + r] = A_rp for the first `rows` rows, 0 for the others up to `strip`
static inline void pack_rows(int strip, int rows, int k, const double* A, int lda, double* packed)
{
    for (int r = 0; r < rows; r++) {
        for (int p = 0; p < k; p++) {
            packed[p * strip + r] = A[entry(lda, r, p)];
        }
    }
    for (int r = rows; r < strip; r++) {
        for (int p = 0; p < k; p++) {
            packed[p * strip + r] = 0.0;
        }
    }
}

// packed[p * WIDTH + c] = B_pc for the first `columns` columns, 0 for the others up to WIDTH
static inline void pack_columns(int columns, int k, const double* B, int ldb, double* packed)
{
    for (int p = 0; p < k; p++, packed += WIDTH) {
        const double* row = B + entry(ldb, p, 0);
        for (int c = 0; c < WIDTH; c++) {
            packed[c] = c < columns ? row[c] : 0.0;
        }
    }
}

// Row by row straight from memory.
static void few_rows(int m, int n, int k, const double* A, int lda, const double* B, int ldb,
                     double* C, int ldc)
{
    for (int i = 0; i < m; i++) {
        double* row = C + entry(ldc, i, 0);
        int p = 0;
        for (; p + 4 <= k; p += 4) {
            const double* a = A + entry(lda, i, p);
            ut_axpy4(n, (double[4]){-a[0], -a[1], -a[2], -a[3]}, B + entry(ldb, p, 0),
                     B + entry(ldb, p + 1, 0), B + entry(ldb, p + 2, 0), B + entry(ldb, p + 3, 0),
                     row);
        }
        for (; p < k; p++) {
            ut_axpy(n, -A[entry(lda, i, p)], B + entry(ldb, p, 0), row);
        }
    }
}

// Rows i0 ... m-1 of C against `columns` packed columns of B that begin at column j0 of C. With
// `lower` only entries on and below the diagonal of C take part.
static void packed_update(int i0, int m, int j0, int columns, int k, const double* A, int lda,
                          const double* packed, bool lower, double* C, int ldc)
{
    double a[DEPTH * HEIGHT];
    for (int i = i0; i < m; i += HEIGHT) {
        const int rows = least(HEIGHT, m - i);
        pack_rows(HEIGHT, rows, k, A + entry(lda, i, 0), lda, a);
        for (int j = 0; j < columns; j += WIDTH) {
            const double* b = packed + j * k;
            double* tile = C + entry(ldc, i, j0 + j);
            const int width = least(WIDTH, columns - j);
            const bool whole = !lower || j0 + j + WIDTH - 1 <= i;
            if (rows == HEIGHT && width == WIDTH && whole) {
                tile_update(k, a, b, tile, ldc);
                continue;
            }
            int count[HEIGHT];
            for (int r = 0; r < rows; r++) {
                int below = lower ? i + r - (j0 + j) + 1 : width;
                count[r] = below < 0 ? 0 : least(below, width);
            }
            edge_update(k, a, b, rows, count, tile, ldc);
        }
    }
}

void ut_gemm_sub(int m, int n, int k, const double* A, int lda, const double* B, int ldb, double* C,
                 int ldc)
{
    if (m < FEW_ROWS || k < 2) {
        few_rows(m, n, k, A, lda, B, ldb, C, ldc);
        return;
    }
    double packed[DEPTH * COLUMNS];
    for (int p = 0; p < k; p += DEPTH) {
        const int depth = least(DEPTH, k - p);
        for (int j0 = 0; j0 < n; j0 += COLUMNS) {
            const int columns = least(COLUMNS, n - j0);
            for (int j = 0; j < columns; j += WIDTH) {
                pack_columns(least(WIDTH, columns - j), depth, B + entry(ldb, p, j0 + j), ldb,
                             packed + j * depth);
            }
            packed_update(0, m, j0, columns, depth, A + entry(lda, 0, p), lda, packed, false, C,
                          ldc);
        }
    }
}

void ut_syrk_sub(int m, int n, int k, const double* L, int ldl, const double* d, double* C, int ldc)
{
    double packed[DEPTH * COLUMNS];
    for (int p = 0; p < k; p += DEPTH) {
        const int depth = least(DEPTH, k - p);
        for (int j0 = 0; j0 < n; j0 += COLUMNS) {
            const int columns = least(COLUMNS, n - j0);
            for (int j = 0; j < columns; j += WIDTH) {
                double* strip = packed + j * depth;
                pack_rows(WIDTH, least(WIDTH, columns - j), depth, L + entry(ldl, j0 + j, p), ldl,
                          strip);
                for (int e = 0; d != NULL && e < depth * WIDTH; e++) {
                    strip[e] *= d[p + e / WIDTH];
                }
            }
            packed_update(j0, m, j0, columns, depth, L + entry(ldl, 0, p), ldl, packed, true, C,
                          ldc);
        }
    }
}

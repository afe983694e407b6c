/// @file record.h
/// Recordings of a run as CSV: a table of states and a table of contacts, for spreadsheets, scripts
/// and `uptack plot`.
///
///     utCsv csv;
///     ut_csv_create(model, write_to_my_file, my_file, &keep, &csv);
///     ut_csv_states_head(&csv);
///     ut_csv_states_row(&csv, &(utRecordState){.time = t, .q = q, .v = v});
///     bool complete = ut_csv_flush(&csv);
///
/// The library opens no files: text goes to a sink in pieces of tens of kilobytes. Numbers are
/// printed "%.17g", the same in every locale, and read back to the same bits. Lines end with "\n",
/// cells that hold a comma, a quote or a line break are quoted.
#ifndef UPTACK_RECORD_H
#define UPTACK_RECORD_H

#include <uptack/dyn.h>
#include <uptack/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where the text goes. @return false when it could not be written
typedef bool (*utRecordSink)(void* context, const char* text, size_t size);

/// A table being written. It remembers the first failure of the sink: nothing is written after it.
/// One utCsv writes one table, states or contacts.
typedef struct utCsv {
    const utModel* model;
    utRecordSink sink;
    void* context;
    char* buffer;
    size_t room; ///< bytes of the buffer
    size_t used; ///< of them not yet given to the sink
    bool failed;
    utKinematics kin; ///< where the bodies of a row are
} utCsv;

/// Bytes that a utCsv takes from its arena.
UT_API size_t ut_csv_size(const utModel* model);

/// @param keep holds buffers and the placed bodies; must outlive the table
/// @return UT_ERR_CAPACITY when `keep` is too small
UT_API utStatus ut_csv_create(const utModel* model, utRecordSink sink, void* context, utArena* keep,
                              utCsv* csv);

/// Hand the rest to the sink. @return true when everything so far has reached it
UT_API bool ut_csv_flush(utCsv* csv);

// ---- states -------------------------------------------------------------------------------------

/// What a row of states is made of. Pointers to mocap poses may be NULL: as modelled, at rest.
typedef struct utRecordState {
    double time;                    ///< s
    const double* q;                ///< nq, quaternions normalized
    const double* v;                ///< nv
    const double* mocap_pos;        ///< 3 nmocap
    const double* mocap_quat;       ///< 4 nmocap
    const utMotion* mocap_velocity; ///< nmocap
} utRecordState;

/// The head: `time`, then for each body but the world NAME.x .y .z (centre of mass, world), .qw .qx
/// .qy .qz (body frame), .vx .vy .vz (of the centre of mass), .wx .wy .wz (world), then for each
/// joint NAME.q and NAME.qd, with [0], [1], ... behind them where a joint has several. What has no
/// name is called body3, joint0: by its index.
/// @return false once anything has failed, here and below
UT_API bool ut_csv_states_head(utCsv* csv);
UT_API bool ut_csv_states_row(utCsv* csv, const utRecordState* state);

// ---- contacts -----------------------------------------------------------------------------------

/// The head: time,geom1,geom2,x,y,z,nx,ny,nz,gap,pn,px,py,pz,slip,state
UT_API bool ut_csv_contacts_head(utCsv* csv);

/// A row for each contact of a step's active set: the normal from geom1 to geom2, the gap that the
/// step used, the normal impulse and the whole one on geom2 (world, N s), the slip speed after the
/// step, open, stick, slip or impact. Geoms without a name are called geom0, geom1, ...
/// @param time of the step's end, s
UT_API bool ut_csv_contacts_rows(utCsv* csv, const utStepReport* report, double time);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
// Rows over several velocities as the model and the state define them.
#ifndef UPTACK_CERTIFICATE_CONTACTS_TENDON_H
#define UPTACK_CERTIFICATE_CONTACTS_TENDON_H

#include "certificate/internal.h"

/// The row that a tendon or coupling defines. judge->temp2 holds its coefficients, without the sign.
typedef struct TermsRow {
    bool exists;
    double length;
    int terms;
    const int* index;
    double sign; ///< of the coefficients: -1 for an upper limit
    double gap;
    double low, high;
    double compliance;
    double b; ///< without mocap velocities
} TermsRow;

/// The row of a kind that tendon i defines. judge->temp2 receives the coefficients.
TermsRow ut_certify_expected_tendon(const Judge* judge, utRowKind kind, int i);

/// Are springs and dampers of tendons rows?
bool ut_certify_tendon_rows(const Judge* judge);

#endif

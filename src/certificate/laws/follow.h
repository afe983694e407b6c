// SPDX-License-Identifier: Apache-2.0
// One impact at one contact, followed once more.
#ifndef UPTACK_CERTIFICATE_LAWS_FOLLOW_H
#define UPTACK_CERTIFICATE_LAWS_FOLLOW_H

#include "certificate/internal.h"

/// What says when an impact ends; the numbers are those of utIsland.law.
typedef enum FollowLaw {
    FOLLOW_NEWTON,  ///< u_n = e |u_n before|
    FOLLOW_POISSON, ///< impulse of restitution = e impulse of compression
    FOLLOW_STRONGE, ///< work of restitution = -e^2 work of compression
    FOLLOW_COUNT
} FollowLaw;

typedef struct FollowCase {
    double K[3][3]; ///< 1/kg; in the plane with an empty last row and column
    double u[3];    ///< before, m/s: it closes
    double mu, e;   ///< e may be beyond 1 by Newton's law
    FollowLaw law;
} FollowCase;

/// @param r           the whole impulse, N s
/// @param compression up to the last end of compression
/// @return false when the impact does not end
bool ut_certify_follow(const FollowCase* of, double r[3], double compression[3]);

#endif

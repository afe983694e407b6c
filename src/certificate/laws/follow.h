// SPDX-License-Identifier: Apache-2.0
// One impact at one contact, integrated over the normal impulse by a method of
// the certificate's own.
#ifndef UPTACK_CERTIFICATE_LAWS_FOLLOW_H
#define UPTACK_CERTIFICATE_LAWS_FOLLOW_H

#include "certificate/internal.h"

/// The law that ends restitution. Values as in utIsland.law.
typedef enum FollowLaw {
    FOLLOW_NEWTON,  ///< u_n = e |u_n before|
    FOLLOW_POISSON, ///< impulse of restitution = e impulse of compression
    FOLLOW_STRONGE, ///< work of restitution = -e^2 work of compression
    FOLLOW_COUNT
} FollowLaw;

typedef struct FollowCase {
    double K[3][3]; ///< 1/kg; in the plane the last row and column are 0
    double u[3];    ///< velocity before the impact, m/s; u_n < 0
    double mu, e;   ///< e may exceed 1 under Newton's law
    FollowLaw law;
} FollowCase;

/// Integrate compression and restitution.
/// @param r           impulse of the impact, N s
/// @param compression impulse up to the last end of compression, N s
/// @return false when the impact does not end or a number is not finite
bool ut_certify_follow(const FollowCase* impact, double r[3], double compression[3]);

#endif

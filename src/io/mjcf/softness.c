// SPDX-License-Identifier: Apache-2.0
// Softness of MuJoCo's contacts, which hard contacts do not have. A contact with an underdamped solref
// rebounds; its note gives the coefficient of restitution that has the same rebound.
#include "io/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "la/power.h"

static const char HARD[] = "softness is not supported: contacts and limits are hard";
static const double PI = 3.14159265358979323846;

// The damping ratio of a solref: time constant and damping ratio, or -stiffness and -damping.
// @return 1 or more when there is no rebound, and for values that make no sense
static double damping_ratio(const char* value)
{
    double x[2] = {0.02, 1.0};
    utText word;
    for (int i = 0; i < 2 && ut_word_next(&value, &word); i++) {
        if (ut_number_read(word.data, word.data + word.size, &x[i]) != word.data + word.size) {
            return 1.0;
        }
    }
    if (x[0] > 0.0 && x[1] >= 0.0) {
        return x[1];
    }
    return x[0] < 0.0 && x[1] <= 0.0 ? -x[1] / (2.0 * sqrt(-x[0])) : 1.0;
}

// The restitution of a damped oscillator that is left after half a period.
static double restitution(double ratio)
{
    return ut_exp(-PI * ratio / sqrt(1.0 - ratio * ratio));
}

const char* ut_mjcf_softness(const XmlNode* node, const XmlAttribute* a, MjcfReason* room)
{
    const bool contact = strcmp(node->name, "geom") == 0 || strcmp(node->name, "pair") == 0;
    const double ratio = contact && strcmp(a->name, "solref") == 0 ? damping_ratio(a->value) : 1.0;
    if (!(ratio >= 0.0 && ratio < 1.0)) {
        return HARD;
    }
    const int percent = (int)(100.0 * restitution(ratio) + 0.5);
    if (percent == 0) {
        return HARD;
    }
    snprintf(
        room->text, sizeof room->text,
        "softness is not supported: contacts are hard and do not bounce; ut:restitution=\"%s%02d\" "
        "gives the rebound of this solref",
        percent == 100 ? "1." : "0.", percent % 100);
    return room->text;
}

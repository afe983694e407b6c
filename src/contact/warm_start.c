// SPDX-License-Identifier: Apache-2.0
// Warm starts: impulses stored from step to step and found again by geoms and features.
#include <limits.h>

#include "contact.h"

static int compare(int a, int b)
{
    return (a > b) - (a < b);
}

int ut_warm_compare(const WarmImpulse* x, const WarmImpulse* y)
{
    const int first = compare(x->key1, y->key1);
    const int second = compare(x->key2, y->key2);
    const int feature = (x->feature > y->feature) - (x->feature < y->feature);
    return first != 0 ? first : second != 0 ? second : feature;
}

static WarmImpulse key_of_contact(const utContact* contact)
{
    return (WarmImpulse){
        .key1 = contact->geom1, .key2 = contact->geom2, .feature = contact->feature};
}

static WarmImpulse key_of_torque(const utContact* contact)
{
    WarmImpulse key = key_of_contact(contact);
    key.key2 += INT_MIN;
    return key;
}

static WarmImpulse key_of_row(const utRow* row)
{
    const bool joint = row->dof >= 0;
    const bool actuator = joint || (row->terms > 0 && row->actuator >= 0);
    return (WarmImpulse){.key1 = -1 - (int)row->kind,
                         .key2 = joint ? row->dof : row->equality,
                         .feature = (uint64_t)((actuator ? row->actuator : row->component) + 1)};
}

// Binary search, after a look at the expected place: contacts come in the order of the list as a rule.
// @param expected in: where to look first; out: the place after this one @return -1: not found
static int find(int count, const WarmImpulse* warm, const WarmImpulse* key, int* expected)
{
    if (*expected < count && ut_warm_compare(&warm[*expected], key) == 0) {
        return (*expected)++;
    }
    int low = 0;
    int high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const int order = ut_warm_compare(&warm[middle], key);
        if (order == 0) {
            *expected = middle + 1;
            return middle;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return -1;
}

static void start_torque(int count, const WarmImpulse* warm, double factor, utContact* c)
{
    const WarmImpulse key = key_of_torque(c);
    int expected = 0;
    const int at = find(count, warm, &key, &expected);
    for (int k = 0; k < 3; k++) {
        const bool has_friction = k == 0 ? c->torsional > 0.0 : c->rolling > 0.0;
        c->torque[k] =
            at >= 0 && has_friction ? factor * ut_vec3_dot(c->frame[k], warm[at].r) : 0.0;
    }
}

int ut_warm_start(int count, const WarmImpulse* warm, double factor, int contacts,
                  utContact* contact, int rows, utRow* row)
{
    int found = 0;
    int expected = 0;
    for (int i = 0; i < contacts; i++) {
        const WarmImpulse key = key_of_contact(&contact[i]);
        const int at = find(count, warm, &key, &expected);
        for (int k = 0; k < 3; k++) {
            contact[i].r[k] = at >= 0 ? factor * ut_vec3_dot(contact[i].frame[k], warm[at].r) : 0.0;
        }
        found += at >= 0;
        if (ut_contact_spins(&contact[i])) {
            start_torque(count, warm, factor, &contact[i]);
        }
    }
    for (int j = 0; j < rows; j++) {
        const WarmImpulse key = key_of_row(&row[j]);
        const int at = find(count, warm, &key, &expected);
        row[j].r = at >= 0 ? factor * warm[at].r.x : 0.0;
        found += at >= 0;
    }
    return found;
}

// Insertion sort, because the list is almost sorted.
static void sort(int count, WarmImpulse* warm)
{
    for (int i = 1; i < count; i++) {
        const WarmImpulse one = warm[i];
        int k = i;
        while (k > 0 && ut_warm_compare(&warm[k - 1], &one) > 0) {
            warm[k] = warm[k - 1];
            k--;
        }
        warm[k] = one;
    }
}

// A vector of the contact's frame in world axes.
static utVec3 in_world(const utContact* c, const double* x)
{
    utVec3 sum = ut_vec3_zero();
    for (int k = 0; k < 3; k++) {
        sum = ut_vec3_add_scaled(sum, x[k], c->frame[k]);
    }
    return sum;
}

int ut_warm_store(int contacts, const utContact* contact, int rows, const utRow* row,
                  WarmImpulse* warm)
{
    int count = 0;
    for (int j = 0; j < rows; j++) {
        warm[count] = key_of_row(&row[j]);
        warm[count++].r = ut_vec3(row[j].r, 0.0, 0.0);
    }
    sort(count, warm);
    for (int i = 0; i < contacts; i++) {
        // the angular impulses of a geom's contacts come before its impulses
        const bool next_geom = i == 0 || contact[i].geom1 != contact[i - 1].geom1;
        for (int k = i; next_geom && k < contacts && contact[k].geom1 == contact[i].geom1; k++) {
            if (ut_contact_spins(&contact[k])) {
                warm[count] = key_of_torque(&contact[k]);
                warm[count++].r = in_world(&contact[k], contact[k].torque);
            }
        }
        warm[count] = key_of_contact(&contact[i]);
        warm[count++].r = in_world(&contact[i], contact[i].r);
    }
    // contacts are sorted by geoms already, but not always by features within a pair
    sort(count, warm);
    return count;
}

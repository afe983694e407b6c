// SPDX-License-Identifier: Apache-2.0
// What the reader of MJCF supports, as a table in Markdown made from its own table of elements.
#include "io/mjcf/schema.h"

#include <stdio.h>
#include <string.h>

// A text that is cut at the end of its room and counts on.
typedef struct Sink {
    char* text;
    size_t size, used;
} Sink;

static void put(Sink* sink, const char* text, size_t size)
{
    for (size_t i = 0; i < size; i++, sink->used++) {
        if (sink->used + 1 < sink->size) {
            sink->text[sink->used] = text[i];
        }
    }
}

static void put_text(Sink* sink, const char* text)
{
    put(sink, text, strlen(text));
}

// The names of a list, without the values that follow some of them.
static void put_names(Sink* sink, const char* list, bool* any)
{
    utText word;
    while (list != NULL && ut_word_next(&list, &word)) {
        const char* equals = memchr(word.data, '=', word.size);
        put_text(sink, *any ? " " : "");
        put(sink, word.data, equals != NULL ? (size_t)(equals - word.data) : word.size);
        *any = true;
    }
}

// "body, frame": the elements that may contain one, at most the first of them.
static void put_element(Sink* sink, const Rule* rule)
{
    const char* inside = rule->inside;
    utText parent = {"", 0};
    (void)ut_word_next(&inside, &parent);
    put_text(sink, "| `");
    if (parent.size > 0 && !ut_word_is(parent, "mujoco")) {
        put(sink, parent.data, parent.size);
        put_text(sink, "/");
    }
    put_text(sink, rule->name);
    put_text(sink, "` | ");
}

static const char* meaning_of(Use use)
{
    switch (use) {
    case USE_PHYSICS:
        return "not supported: the model lacks its physics";
    case USE_PICTURE:
        return "for viewers";
    case USE_OUTPUT:
        return "for other programs";
    case USE_REJECTED:
        return "refused, because bodies or shapes would be missing";
    default:
        return NULL;
    }
}

static void put_row(Sink* sink, const Rule* rule)
{
    const char* meaning = meaning_of(rule->use);
    bool read = false, lacks = false, soft = false;
    put_element(sink, rule);
    if (meaning != NULL) {
        put_text(sink, meaning);
        put_text(sink, " | | |\n");
        return;
    }
    put_names(sink, rule->read, &read);
    put_text(sink, " | ");
    put_names(sink, rule->physics, &lacks);
    put_text(sink, " | ");
    put_names(sink, rule->soft, &soft);
    put_text(sink, " |\n");
}

size_t ut_mjcf_support(char* text, size_t size)
{
    Sink sink = {text, size, 0};
    int count;
    const Rule* rule = ut_mjcf_rules(&count);
    put_text(&sink, "| element | read | physics that the model lacks, unless it has its default | "
                    "softness, which hard contacts and limits do not have |\n"
                    "| --- | --- | --- | --- |\n");
    for (int i = 0; i < count; i++) {
        if (rule[i].use != USE_GROUP && rule[i].use != USE_SILENT) {
            put_row(&sink, &rule[i]);
        }
    }
    if (size > 0) {
        text[sink.used < size ? sink.used : size - 1] = 0;
    }
    return sink.used;
}

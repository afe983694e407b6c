// SPDX-License-Identifier: Apache-2.0
// Height fields from pictures and from MuJoCo's binary files.
#include "files.h"
#include "pictures.h"

static utText bytes_of(const unsigned char* data, size_t size)
{
    return (utText){(const char*)data, size};
}

#define PICTURE(name) bytes_of(name, sizeof name)

// Row 0 of the heights is the lowest row of the picture. @param scale what a value of 1 is read as
static void check_picture(utText bytes, const char* name, double scale)
{
    utArena arena = test_arena();
    HeightsData data;
    utError err = {0};
    if (!CHECK_INT(ut_heights_decode(bytes, "a.png", NULL, &arena, &data, &err), UT_OK) ||
        !CHECK(data.columns == 5 && data.rows == 5)) {
        test_note("%s: %s", name, err.message);
        return;
    }
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 5; x++) {
            CHECK_NEAR(data.height[5 * (4 - y) + x], scale * (16 * x + 3 * y), 0.0);
        }
    }
}

TEST(pictures_of_all_kinds_give_the_same_heights)
{
    check_picture(PICTURE(grey), "grey", 1.0);
    check_picture(PICTURE(grey_alpha), "grey_alpha", 1.0);
    check_picture(PICTURE(rgb), "rgb", 1.0);
    check_picture(PICTURE(rgba), "rgba", 1.0);
    check_picture(PICTURE(palette), "palette", 1.0);
    check_picture(PICTURE(interlaced), "interlaced", 1.0);
}

// The low byte of a pixel with the high byte v is 255 - v, so that the value is 255 v + 255.
TEST(sixteen_bits_are_read_in_full)
{
    utArena arena = test_arena();
    HeightsData data;
    utError err = {0};
    CHECK_INT(ut_heights_decode(PICTURE(grey16), "a.png", NULL, &arena, &data, &err), UT_OK);
    CHECK_NEAR(data.height[4], 255.0 * (16 * 4 + 3 * 4) + 255.0, 0.0);
}

TEST(pixels_of_two_bits_share_a_byte)
{
    utArena arena = test_arena();
    HeightsData data;
    utError err = {0};
    CHECK_INT(ut_heights_decode(PICTURE(grey2), "a.png", NULL, &arena, &data, &err), UT_OK);
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 5; x++) {
            CHECK_NEAR(data.height[5 * (4 - y) + x], (x + y) % 4, 0.0);
        }
    }
}

static void check_heights_refused(utText bytes, const char* file, const char* want)
{
    utArena arena = test_arena();
    HeightsData data;
    utError err = {0};
    char got[600];
    CHECK_INT(ut_heights_decode(bytes, file, NULL, &arena, &data, &err), UT_ERR_FORMAT);
    ut_error_format(&err, got, sizeof got);
    CHECK_TEXT(got, want);
}

static Bytes binary_heights(void)
{
    Bytes b = {.size = 0};
    put_little(&b, 2);
    put_little(&b, 3);
    for (int k = 0; k < 6; k++) {
        put_float(&b, (float)k);
    }
    return b;
}

TEST(a_binary_file_of_too_many_heights_is_refused)
{
    const Bytes six = binary_heights();
    utArena arena = test_arena();
    HeightsData data;
    utLimits limits = ut_limits();
    utError err = {0};
    limits.pixels = 6;
    CHECK_INT(ut_heights_decode(text_of(&six), "a.bin", &limits, &arena, &data, &err), UT_OK);
    limits.pixels = 5;
    CHECK_INT(ut_heights_decode(text_of(&six), "a.bin", &limits, &arena, &data, &err),
              UT_ERR_FORMAT);
    CHECK_TEXT(err.message, "more than 5 heights; utLimits.pixels sets the limit");
}

TEST(binary_heights_are_rows_from_the_least_y)
{
    const Bytes b = binary_heights();
    utArena arena = test_arena();
    HeightsData data;
    utError err = {0};
    CHECK_INT(ut_heights_decode(text_of(&b), "a.bin", NULL, &arena, &data, &err), UT_OK);
    CHECK(data.rows == 2 && data.columns == 3);
    for (int k = 0; k < 6; k++) {
        CHECK_NEAR(data.height[k], k, 0.0);
    }
}

TEST(wrong_heights_are_refused_with_their_place)
{
    Bytes b = binary_heights();
    memset(b.data, 0xff, 8);
    check_heights_refused(text_of(&b), "a.bin",
                          "a.bin: error: byte 0: the header says 4294967295 rows and 4294967295 "
                          "columns, but 6 numbers follow");
    unsigned char picture[sizeof grey];
    memcpy(picture, grey, sizeof grey);
    picture[sizeof grey / 2] ^= 1;
    utArena arena = test_arena();
    HeightsData data;
    utError err = {0};
    CHECK_INT(
        ut_heights_decode(bytes_of(picture, sizeof picture), "a.png", NULL, &arena, &data, &err),
        UT_ERR_FORMAT);
    CHECK(strstr(err.message, "checksum") != NULL);
    check_heights_refused(bytes_of(grey, 30), "a.png",
                          "a.png: error: byte 8: a part of 13 bytes is longer than the file");
    check_heights_refused(text("no picture"), "a.png",
                          "a.png: error: byte 0: this is not a PNG picture");
}

// 2^31 x 2^31 pixels, with the checksum that belongs to this header.
TEST(a_picture_of_too_many_pixels_is_refused_at_once)
{
    unsigned char picture[sizeof grey];
    memcpy(picture, grey, sizeof grey);
    const unsigned char huge[8] = {0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff};
    memcpy(picture + 16, huge, 8);
    uint32_t crc = 0xffffffffu; // bit by bit, as the standard defines it
    for (int i = 12; i < 29; i++) {
        crc ^= picture[i];
        for (int k = 0; k < 8; k++) {
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
        }
    }
    for (int k = 0; k < 4; k++) {
        picture[29 + k] = (unsigned char)(~crc >> (24 - 8 * k));
    }
    check_heights_refused(bytes_of(picture, sizeof picture), "a.png",
                          "a.png: error: byte 16: 2147483647 x 2147483647 pixels; utLimits.pixels "
                          "allows 16000000");
}

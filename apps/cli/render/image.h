// SPDX-License-Identifier: Apache-2.0
// Pictures as files: PNG, animated GIF, and MP4 by way of ffmpeg. A file appears under its name only when
// it is complete.
#ifndef UPTACK_CLI_RENDER_IMAGE_H
#define UPTACK_CLI_RENDER_IMAGE_H

#include "output.h"

#include <sys/types.h>

/// A picture, rows from the top, 3 bytes per pixel: red, green, blue.
typedef struct RenderImage {
    int width, height;
    unsigned char* rgb;
} RenderImage;

/// Bytes that grow.
typedef struct RenderBytes {
    unsigned char* data;
    size_t size, room;
    bool failed; ///< memory is short; `data` is not complete
} RenderBytes;

void render_bytes_add(RenderBytes* bytes, const void* data, size_t size);
void render_bytes_free(RenderBytes* bytes);

/// Compress to zlib data (RFC 1950, 1951).
void render_deflate(const unsigned char* data, size_t size, RenderBytes* into);

/// A whole PNG file.
void render_png(const RenderImage* image, RenderBytes* into);

// ---- GIF ----------------------------------------------------------------------------------------

enum { RENDER_GIF_COLORS = 255 }; ///< the last place of a palette of 256 is for pixels that stay

/// The colours of an animation, and the picture before.
typedef struct RenderGif {
    int width, height;
    int colors;
    unsigned char color[RENDER_GIF_COLORS][3];
    unsigned char* nearest; ///< palette entry of each colour; 255: not looked for yet
    unsigned char* before;  ///< palette entries of the last frame; NULL: none
} RenderGif;

/// Choose a palette for these pictures. @return false when memory is short
bool render_gif_begin(RenderGif* gif, int images, const RenderImage* image, RenderBytes* into);

/// Add a picture of the size of the first ones. @param hundredths of a second
void render_gif_frame(RenderGif* gif, const RenderImage* image, int hundredths, RenderBytes* into);
void render_gif_end(RenderGif* gif, RenderBytes* into);

// ---- files --------------------------------------------------------------------------------------

typedef enum RenderKind { RENDER_PNG, RENDER_GIF, RENDER_MP4 } RenderKind;

/// A file that is being written beside its final name.
typedef struct RenderFile {
    const char* path;
    char part[4096]; ///< name until it is complete
    CliOutput output;
    pid_t encoder; ///< of MP4; 0: none
    int pipe;      ///< to the encoder; -1: none
} RenderFile;

/// Begin a file. For MP4 ffmpeg is started; it needs an even width and height.
utStatus render_file_open(RenderFile* file, const char* path, RenderKind kind, int width,
                          int height, double fps, utError* err);
utStatus render_file_write(RenderFile* file, const void* data, size_t size, utError* err);

/// Give the file its name, or remove it. @param status of the work before @return `status`, or the failure
utStatus render_file_close(RenderFile* file, bool keep, utStatus status, utError* err);

#endif

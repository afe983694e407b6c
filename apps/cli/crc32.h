// SPDX-License-Identifier: Apache-2.0
// CRC-32 of ZIP and PNG.
#ifndef UPTACK_CLI_CRC32_H
#define UPTACK_CLI_CRC32_H

#include <stddef.h>
#include <stdint.h>

/// Continue a checksum. @param crc of the bytes before; 0 at the beginning
uint32_t cli_crc32(uint32_t crc, const void* data, size_t size);

#endif

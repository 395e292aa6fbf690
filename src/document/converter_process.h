#pragma once

#include <span>
#include <string_view>

#include "document/conversion.h"

// The process that converts documents, and the protocol between it and the crawler. The crawler is
// large and has many threads, so it never forks: early on it starts this small process, which forks
// once for each document, into the jail.
//
// Over a stream socket the crawler sends a ConversionRequest with a memory file that holds the
// document as ancillary data. It gets back a ConversionReply with a memory file: the text, then the
// layout, then the detail. Before the first request it gets a JailSupport. When the crawler closes
// its end, or dies, the process ends, together with the program that it may be running.

namespace dowser {

inline constexpr int kConverterSocket = 3;  // the descriptor that the process is given

struct ConversionRequest {
  DocumentFormat format;
  ConversionLimits limits;
};

struct ConversionReply {
  ConversionFailure failure;
  double cpu_seconds;
  uint64_t text_bytes, layout_bytes, detail_bytes;
};

// Serves requests until the other side closes the socket. Returns the exit code of the process.
int run_converter_process(int socket);

// Sends and receives a structure of plain bytes with a file, if it is not -1. False: the other side
// is gone.
bool send_with_file(int socket, const void* bytes, size_t size, int file);
bool receive_with_file(int socket, void* bytes, size_t size, int& file);

// A file in memory with this content; -1 where the system has no room for it.
int memory_file(std::string_view content);

// The programs that read documents. DOC can be read by any of two.
struct ConverterProgram {
  const char* name;
  const char* path;
  const char* formats;
};
std::span<const ConverterProgram> converter_programs();

// One document, in this process; see RawConversion. `given_up` as in run_confined().
RawConversion convert_confined(DocumentFormat format, int input, int given_up,
                               const JailSupport& support, const ConversionLimits& limits);

}  // namespace dowser

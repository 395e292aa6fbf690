// Streams (FILE) for the library of fail_calls.cc. The C library's own calls below them cannot be
// seen from here, so they fail as wholes.

#undef _FORTIFY_SOURCE
#include <stdio_ext.h>

#include <cstdarg>

#include "tests/faults/fail_plan.h"

namespace dowser::faults {
namespace {

// A FILE that has met an error says so with ferror(): glibc's own mark.
constexpr int kErrorSeen = 0x20;
void mark(FILE* file, int error) {
  file->_flags |= kErrorSeen;
  errno = error > 0 ? error : EIO;
}

const Kind& opens(const char* mode) { return mode[0] == 'r' ? kOpen : kCreate; }

template <class Real>
FILE* open_stream(Real* real, const char* path, const char* mode) {
  const int how = verdict_of(opens(mode), path);
  return how ? failed(how, nullptr) : real(path, mode);
}

// For streams: an error, or 0. Whether bytes are short is hidden in them; a torn write is none.
int stream_verdict(const Kind& kind, FILE* file) {
  const int how = verdict_of(kind, file);
  if (how == kTear) die();
  return how > 0 ? how : 0;
}

int print(FILE* file, const char* format, va_list arguments) {
  const int how = stream_verdict(kWrite, file);
  if (how) {
    mark(file, how);
    return -1;
  }
  static auto* const real = next<int(FILE*, const char*, va_list)>("vfprintf");
  return real(file, format, arguments);
}

template <class Real>
size_t write_stream(Real* real, const void* data, size_t size, size_t count, FILE* file) {
  const int how = stream_verdict(kWrite, file);
  if (how == 0) return real(data, size, count, file);
  mark(file, how);
  return 0;
}

template <class Real>
size_t read_stream(Real* real, void* data, size_t size, size_t count, FILE* file) {
  const int how = stream_verdict(kRead, file);
  if (how == 0) return real(data, size, count, file);
  mark(file, how);
  return 0;
}

template <class Real, class... Arguments>
int write_stream_piece(Real* real, FILE* file, Arguments... arguments) {
  const int how = stream_verdict(kWrite, file);
  if (how == 0) return real(arguments...);
  mark(file, how);
  return EOF;
}

}  // namespace
}  // namespace dowser::faults

using namespace dowser::faults;

extern "C" {

FILE* fopen(const char* path, const char* mode) {
  static auto* const real = next<FILE*(const char*, const char*)>("fopen");
  return open_stream(real, path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  static auto* const real = next<FILE*(const char*, const char*)>("fopen64");
  return open_stream(real, path, mode);
}
size_t fread(void* data, size_t size, size_t count, FILE* file) {
  static auto* const real = next<size_t(void*, size_t, size_t, FILE*)>("fread");
  return read_stream(real, data, size, count, file);
}
size_t fread_unlocked(void* data, size_t size, size_t count, FILE* file) {
  static auto* const real = next<size_t(void*, size_t, size_t, FILE*)>("fread_unlocked");
  return read_stream(real, data, size, count, file);
}
ssize_t __getdelim(char** line, size_t* size, int end, FILE* file) {
  static auto* const real = next<ssize_t(char**, size_t*, int, FILE*)>("__getdelim");
  const int how = stream_verdict(kRead, file);
  if (how == 0) return real(line, size, end, file);
  mark(file, how);
  return -1;
}
size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  static auto* const real = next<size_t(const void*, size_t, size_t, FILE*)>("fwrite");
  return write_stream(real, data, size, count, file);
}
size_t fwrite_unlocked(const void* data, size_t size, size_t count, FILE* file) {
  static auto* const real = next<size_t(const void*, size_t, size_t, FILE*)>("fwrite_unlocked");
  return write_stream(real, data, size, count, file);
}
int fputs(const char* text, FILE* file) {
  static auto* const real = next<int(const char*, FILE*)>("fputs");
  return write_stream_piece(real, file, text, file);
}
int fputc(int byte, FILE* file) {
  static auto* const real = next<int(int, FILE*)>("fputc");
  return write_stream_piece(real, file, byte, file);
}
int putc(int byte, FILE* file) { return fputc(byte, file); }
int fflush(FILE* file) {
  static auto* const real = next<int(FILE*)>("fflush");
  return file ? write_stream_piece(real, file, file) : real(file);
}
// What was not written yet is lost where closing fails.
int fclose(FILE* file) {
  static auto* const real = next<int(FILE*)>("fclose");
  const int how = verdict_of(kClose, file);
  if (how) __fpurge(file);
  const int code = real(file);
  return how ? failed(how, EOF) : code;
}
int vfprintf(FILE* file, const char* format, va_list arguments) {
  return print(file, format, arguments);
}
int fprintf(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int code = print(file, format, arguments);
  va_end(arguments);
  return code;
}
int __vfprintf_chk(FILE* file, int, const char* format, va_list arguments) {
  return print(file, format, arguments);
}
int __fprintf_chk(FILE* file, int, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int code = print(file, format, arguments);
  va_end(arguments);
  return code;
}

}  // extern "C"

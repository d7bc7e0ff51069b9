/* Debian's Wine lacks the library that Rust asks for random numbers. This stands in for it in tests and is never shipped. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T length) {
  while (length > 0) {
    ULONG part = length > 65536 ? 65536 : (ULONG)length;
    if (!RtlGenRandom(to, part))
      return FALSE;
    to += part;
    length -= part;
  }
  return TRUE;
}

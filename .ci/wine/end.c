/* end close|kill FILE BYTES COMMAND: runs a command, and once a file has so many bytes closes its window, or ends it at once.
 *
 * Windows tells a program that its window is closed by a thread of its own in CtrlRoutine. Wine's console window tells nobody,
 * so the same is done here. The exit code of the command is printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#define WAIT_MS_MAX 60000

static long long size_of(const char *file) {
  WIN32_FILE_ATTRIBUTE_DATA data;
  if (!GetFileAttributesExA(file, GetFileExInfoStandard, &data))
    return -1;
  return ((long long)data.nFileSizeHigh << 32) | data.nFileSizeLow;
}

int main(int count, char **words) {
  STARTUPINFOA start = {sizeof start};
  PROCESS_INFORMATION process;
  DWORD code = 0;
  if (count != 5 || !CreateProcessA(NULL, words[4], NULL, NULL, FALSE, 0, NULL, NULL, &start, &process)) {
    fprintf(stderr, "end: the command cannot be started\n");
    return 1;
  }
  while (size_of(words[2]) < atoll(words[3]))
    if (WaitForSingleObject(process.hProcess, 20) != WAIT_TIMEOUT) {
      fprintf(stderr, "end: the command ended before its time\n");
      return 1;
    }
  if (strcmp(words[1], "kill") == 0) {
    TerminateProcess(process.hProcess, 137);
  } else {
    FARPROC routine = GetProcAddress(GetModuleHandleA("kernelbase.dll"), "CtrlRoutine");
    if (!routine || !CreateRemoteThread(process.hProcess, NULL, 0, (LPTHREAD_START_ROUTINE)routine,
                                        (void *)CTRL_CLOSE_EVENT, 0, NULL)) {
      fprintf(stderr, "end: the command cannot be told\n");
      return 1;
    }
  }
  if (WaitForSingleObject(process.hProcess, WAIT_MS_MAX) != WAIT_OBJECT_0) {
    fprintf(stderr, "end: the command goes on\n");
    TerminateProcess(process.hProcess, 1);
    return 1;
  }
  GetExitCodeProcess(process.hProcess, &code);
  printf("%lu\n", code);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0

// Stops one thread of a process, and no other, until the process ends: `freeze-thread TID`. Prints
// a line once the thread is stopped.
#include <cstdio>
#include <cstdlib>

#include <sys/ptrace.h>
#include <sys/wait.h>

int main(int argc, char** argv) {
  const pid_t thread = argc == 2 ? std::atoi(argv[1]) : 0;
  int state = 0;
  if (ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) != 0 ||
      ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) != 0 ||
      waitpid(thread, &state, __WALL) != thread || !WIFSTOPPED(state)) {
    std::perror("freeze-thread");
    return 1;
  }
  std::puts("frozen");
  std::fflush(stdout);
  // The kernel reports the thread's end to its tracer first; the parent learns of it after this
  // wait.
  while (waitpid(thread, &state, __WALL) == thread && WIFSTOPPED(state)) {
  }
}

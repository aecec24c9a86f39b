// tries: to keep maps and programs in the kernel, and to watch it by its counters
// expect: answer refused
#define _GNU_SOURCE
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  int made = 0;
  int kinds[] = {BPF_MAP_TYPE_HASH, BPF_MAP_TYPE_ARRAY, BPF_MAP_TYPE_LPM_TRIE, BPF_MAP_TYPE_RINGBUF};
  for (int i = 0; i < 4; i++) {
    union bpf_attr map;
    memset(&map, 0, sizeof map);
    map.map_type = kinds[i], map.key_size = kinds[i] == BPF_MAP_TYPE_RINGBUF ? 0 : 4;
    map.value_size = kinds[i] == BPF_MAP_TYPE_RINGBUF ? 0 : 8, map.max_entries = 4096;
    made += syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map) >= 0;
  }
  struct bpf_insn code[] = {{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0}, {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
  union bpf_attr program;
  memset(&program, 0, sizeof program);
  program.prog_type = BPF_PROG_TYPE_SOCKET_FILTER, program.insns = (unsigned long)code, program.insn_cnt = 2;
  program.license = (unsigned long)"MIT";
  made += syscall(SYS_bpf, BPF_PROG_LOAD, &program, sizeof program) >= 0;
  for (int kind = 0; kind < 6; kind++) {
    struct perf_event_attr event = {.type = kind, .size = sizeof event, .exclude_kernel = 1};
    made += syscall(SYS_perf_event_open, &event, 0, -1, -1, 0) >= 0;
  }
  if (made) printf("%d\n", made);
  else puts("refused");
}

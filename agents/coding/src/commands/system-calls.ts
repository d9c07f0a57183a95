/** The processors for which system calls are known, as `process.arch` names them. */
export type Processor = 'x64' | 'arm64'

/** Numbers of a system call. A processor that does not have it has none. */
export type SystemCall = { readonly [each in Processor]?: number }

/**
 * The last number that was looked at when these lists were made (Linux 6.16). A later system call counts as missing,
 * so that a new one is no way out: programs use an older one then.
 */
export const LAST_KNOWN_NUMBER = 467

/** Those whose arguments decide. */
export const CLONE: SystemCall = { x64: 56, arm64: 220 }
export const FCNTL: SystemCall = { x64: 72, arm64: 25 }
export const IOCTL: SystemCall = { x64: 16, arm64: 29 }
export const PERSONALITY: SystemCall = { x64: 135, arm64: 92 }
export const SHMGET: SystemCall = { x64: 29, arm64: 194 }
export const SOCKET: SystemCall = { x64: 41, arm64: 198 }
export const SOCKETPAIR: SystemCall = { x64: 53, arm64: 199 }

/** Those that take the mode of a file, by the place of that argument. `mkdir` ignores the bits that matter here. */
export const MODE_CALLS: Readonly<Record<1 | 2, readonly SystemCall[]>> = {
  1: parse(`
    chmod 90 -
    creat 85 -
    fchmod 91 52
    mknod 133 -`),
  2: parse(`
    fchmodat 268 53
    fchmodat2 452 452
    mknodat 259 33`),
}

/** Those that take a mode if their flags say that they make a file. */
export const OPEN: SystemCall = { x64: 2 }
export const OPENAT: SystemCall = { x64: 257, arm64: 56 }

/**
 * What programs do without where it is missing: `clone3` and `openat2`, whose arguments no filter sees; io_uring, which
 * goes round filters; and what counts for no process and no folder: memory, and queues and semaphores of System V.
 */
export const MISSING_CALLS: readonly SystemCall[] = parse(`
  clone3 435 435
  io_uring_enter 426 426
  io_uring_register 427 427
  io_uring_setup 425 425
  memfd_create 319 279
  memfd_secret 447 447
  msgget 68 186
  openat2 437 437
  semget 64 190`)

/** What Docker's default profile refuses to a container without capabilities. */
export const REFUSED_CALLS: readonly SystemCall[] = parse(`
  acct 163 89
  add_key 248 217
  afs_syscall 183 -
  bpf 321 280
  chroot 161 51
  clock_settime 227 112
  create_module 174 -
  delete_module 176 106
  fanotify_init 300 262
  finit_module 313 273
  fsconfig 431 431
  fsmount 432 432
  fsopen 430 430
  fspick 433 433
  get_kernel_syms 177 -
  get_mempolicy 239 236
  getpmsg 181 -
  init_module 175 105
  ioperm 173 -
  iopl 172 -
  kcmp 312 272
  kexec_file_load 320 294
  kexec_load 246 104
  keyctl 250 219
  lookup_dcookie 212 18
  mbind 237 235
  migrate_pages 256 238
  mount 165 40
  mount_setattr 442 442
  move_mount 429 429
  move_pages 279 239
  nfsservctl 180 42
  open_by_handle_at 304 265
  open_tree 428 428
  open_tree_attr 467 467
  perf_event_open 298 241
  pidfd_getfd 438 438
  pivot_root 155 41
  process_madvise 440 440
  putpmsg 182 -
  query_module 178 -
  quotactl 179 60
  quotactl_fd 443 443
  reboot 169 142
  request_key 249 218
  security 185 -
  set_mempolicy 238 237
  set_mempolicy_home_node 450 450
  setdomainname 171 162
  sethostname 170 161
  setns 308 268
  settimeofday 164 170
  swapoff 168 225
  swapon 167 224
  sysctl 156 -
  sysfs 139 -
  syslog 103 116
  tuxcall 184 -
  umount2 166 39
  unshare 272 97
  uselib 134 -
  userfaultfd 323 282
  ustat 136 -
  vhangup 153 58
  vserver 236 -`)

function parse(lines: string): readonly SystemCall[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [, x64, arm64] = line.trim().split(' ')
      if (arm64 === '-') return { x64: Number(x64) }
      return { x64: Number(x64), arm64: Number(arm64) }
    })
}

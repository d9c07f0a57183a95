import {
  CLONE,
  FCNTL,
  IOCTL,
  LAST_KNOWN_NUMBER,
  MISSING_CALLS,
  MODE_CALLS,
  OPEN,
  OPENAT,
  PERSONALITY,
  REFUSED_CALLS,
  SHMGET,
  SOCKET,
  SOCKETPAIR,
  type Processor,
  type SystemCall,
} from './system-calls.ts'

/** One instruction of classic BPF: `struct sock_filter` of linux/filter.h. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number]
type Program = readonly Instruction[]

/** Codes of linux/bpf_common.h. */
const [LOAD, AND, RETURN] = [0x20, 0x54, 0x06] as const
const [IS_EQUAL, IS_GREATER, IS_AT_LEAST, HAS_BITS] = [0x15, 0x25, 0x35, 0x45] as const

/** Places in `struct seccomp_data`, in bytes. Where the kernel takes an `int`, the lower half of an argument counts. */
const [NUMBER_AT, PROCESSOR_AT] = [0, 4] as const
const argumentAt = (index: number): number => 16 + 8 * index
const upperHalfAt = (index: number): number => argumentAt(index) + 4

const [KILL_PROCESS, ERRNO, ALLOW] = [0x8000_0000, 0x0005_0000, 0x7fff_0000] as const
const [EPERM, EINVAL, ENOSYS, EAFNOSUPPORT] = [1, 22, 38, 97] as const

const AUDIT_ARCH: Readonly<Record<Processor, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 }
/** Of x32, whose calls have other numbers on the same processor. */
const X32_BIT = 0x4000_0000

/** CLONE_NEW… for mounts, control groups, names, IPC, users, processes and the network. */
const NAMESPACE_BITS = 0x7e02_0000
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16] as const
const NETLINK_ROUTE = 0
/** Without its flags. A pair of datagram sockets could be pointed at another address. */
const [SOCK_TYPE_BITS, SOCK_STREAM, SOCK_SEQPACKET] = [0xf, 1, 5] as const
/** What types into a terminal, or changes what stands behind one. */
const TERMINAL_REQUESTS = [0x5412, 0x541c, 0x5423] as const
/** F_SETLEASE and F_NOTIFY. Whoever opens a file with a lease on it waits until it is given up, up to 45 s. */
const LEASE_COMMANDS = [1024, 1026] as const
/** S_ISUID and S_ISGID: a program in such a file runs as its owner or group. */
const SET_ID_BITS = 0o6000
/** O_CREAT and __O_TMPFILE. Without them the argument after the flags is whatever is in its register. */
const CREATION_FLAGS = 0o2000_0100
/**
 * Shared memory without a name counts for no process. So much is enough for what is locked by it, as databases do, and
 * the 4,096 segments that the kernel gives have 64 MB.
 */
const MAX_SEGMENT_BYTES = 16 * 1024
/** As they are, 32-bit addresses, the release of Linux 2.6, both, and the question what holds. */
const PERSONALITIES = [0, 0x8, 0x2_0000, 0x2_0008, 0xffff_ffff] as const

/**
 * The seccomp filter of a command in a sandbox, for bubblewrap and `prctl`; undefined for a processor whose system
 * calls are not known. It refuses what Docker's default profile refuses to a container without capabilities, and all
 * sockets but those of the Internet, of `NETLINK_ROUTE`, and connected pairs: no namespace keeps a command from a Unix
 * socket whose path it can see, or from `AF_VSOCK`. It refuses set-user-id and set-group-id bits too: what a command
 * leaves in the workspace would be a way to the server's user for every other user of the machine.
 */
export function seccompFilter(processor: string): Buffer | undefined {
  if (processor !== 'x64' && processor !== 'arm64') return undefined
  const numberOf = (call: SystemCall): number[] => [call[processor] ?? []].flat()
  const forCalls = (calls: readonly SystemCall[], body: Program): Program =>
    calls.flatMap(numberOf).flatMap((number) => when(IS_EQUAL, number, body))
  return toBytes([
    load(PROCESSOR_AT),
    ...unless(IS_EQUAL, AUDIT_ARCH[processor], [end(KILL_PROCESS)]),
    load(NUMBER_AT),
    ...(processor === 'x64' ? when(IS_AT_LEAST, X32_BIT, [end(KILL_PROCESS)]) : []),
    ...when(IS_GREATER, LAST_KNOWN_NUMBER, [fail(ENOSYS)]),
    ...forCalls(MISSING_CALLS, [fail(ENOSYS)]),
    ...forCalls(REFUSED_CALLS, [fail(EPERM)]),
    ...forCalls([CLONE], [load(argumentAt(0)), ...when(HAS_BITS, NAMESPACE_BITS, [fail(EPERM)]), end(ALLOW)]),
    ...forCalls([FCNTL], [load(argumentAt(1)), ...oneOf(LEASE_COMMANDS, fail(EPERM)), end(ALLOW)]),
    ...forCalls([IOCTL], [load(argumentAt(1)), ...oneOf(TERMINAL_REQUESTS, fail(EPERM)), end(ALLOW)]),
    ...forCalls([PERSONALITY], [load(argumentAt(0)), ...oneOf(PERSONALITIES, end(ALLOW)), fail(EPERM)]),
    ...forCalls(MODE_CALLS[1], modeRules(1)),
    ...forCalls(MODE_CALLS[2], modeRules(2)),
    ...forCalls([OPEN], creationRules(1)),
    ...forCalls([OPENAT], creationRules(2)),
    ...forCalls([SHMGET], SHMGET_RULES),
    ...forCalls([SOCKET], SOCKET_RULES),
    ...forCalls([SOCKETPAIR], SOCKETPAIR_RULES),
    end(ALLOW),
  ])
}

const SHMGET_RULES: Program = [
  load(upperHalfAt(1)),
  ...unless(IS_EQUAL, 0, [fail(EINVAL)]),
  load(argumentAt(1)),
  ...when(IS_GREATER, MAX_SEGMENT_BYTES, [fail(EINVAL)]),
  end(ALLOW),
]

const SOCKET_RULES: Program = [
  load(argumentAt(0)),
  ...oneOf([AF_INET, AF_INET6], end(ALLOW)),
  ...unless(IS_EQUAL, AF_NETLINK, [fail(EAFNOSUPPORT)]),
  load(argumentAt(2)),
  ...oneOf([NETLINK_ROUTE], end(ALLOW)),
  fail(EAFNOSUPPORT),
]

const SOCKETPAIR_RULES: Program = [
  load(argumentAt(0)),
  ...unless(IS_EQUAL, AF_UNIX, [fail(EAFNOSUPPORT)]),
  load(argumentAt(1)),
  [AND, 0, 0, SOCK_TYPE_BITS],
  ...oneOf([SOCK_STREAM, SOCK_SEQPACKET], end(ALLOW)),
  fail(EAFNOSUPPORT),
]

function modeRules(argument: number): Program {
  return [load(argumentAt(argument)), ...when(HAS_BITS, SET_ID_BITS, [fail(EPERM)]), end(ALLOW)]
}

/** `flags` is the argument before the mode. */
function creationRules(flags: number): Program {
  return [load(argumentAt(flags)), ...when(HAS_BITS, CREATION_FLAGS, modeRules(flags + 1)), end(ALLOW)]
}

function load(at: number): Instruction {
  return [LOAD, 0, 0, at]
}

function end(action: number): Instruction {
  return [RETURN, 0, 0, action]
}

function fail(errno: number): Instruction {
  return end(ERRNO + errno)
}

/** Runs `body` if the loaded value compares so. At the end of `body` the program goes on. */
function when(comparison: number, operand: number, body: Program): Program {
  return [[comparison, 0, body.length, operand], ...body]
}

function unless(comparison: number, operand: number, body: Program): Program {
  return [[comparison, body.length, 0, operand], ...body]
}

function oneOf(values: readonly number[], then: Instruction): Program {
  return values.flatMap((value) => when(IS_EQUAL, value, [then]))
}

/** Both processors have the lower byte first. */
function toBytes(program: Program): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(operand, index * 8 + 4)
  }
  return bytes
}

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { seccompFilter } from './seccomp-filter.ts'
import * as calls from './system-calls.ts'

const ARCHITECTURES = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const
const FOREIGN_ARCHITECTURES = { i386: 0x4000_0003, arm: 0x4000_0028, riscv64: 0xc000_00f3 }
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]
const PROCESSORS = ['x64', 'arm64'] as const

type Call = { readonly arch: number; readonly number: number; readonly args?: readonly number[] }

/** What the kernel does with a system call: it runs the program as linux/filter.h defines it. */
function decide(processor: calls.Processor, { arch, number, args = [] }: Call): string {
  const program = seccompFilter(processor) ?? Buffer.alloc(0)
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number >>> 0, 0)
  data.writeUInt32LE(arch, 4)
  for (const [index, value] of args.entries())
    data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + index * 8)
  let loaded = 0
  for (let at = 0; at < program.length; at += 8) {
    const [code, ifTrue, ifFalse] = [
      program.readUInt16LE(at),
      program.readUInt8(at + 2),
      program.readUInt8(at + 3),
    ]
    const operand = program.readUInt32LE(at + 4)
    const jump = (holds: boolean): void => void (at += 8 * (holds ? ifTrue : ifFalse))
    if (code === 0x20) loaded = data.readUInt32LE(operand)
    else if (code === 0x54) loaded = (loaded & operand) >>> 0
    else if (code === 0x15) jump(loaded === operand)
    else if (code === 0x25) jump(loaded > operand)
    else if (code === 0x35) jump(loaded >= operand)
    else if (code === 0x45) jump((loaded & operand) !== 0)
    else if (code === 0x06) return actionName(operand)
    else throw new Error(`${code} is no instruction.`)
  }
  throw new Error('The program has no end.')
}

function actionName(action: number): string {
  if (action === 0x7fff_0000) return 'allow'
  return action === 0x8000_0000 ? 'kill' : `errno ${action & 0xffff}`
}

describe.each(PROCESSORS)('the filter for %s', (processor) => {
  const arch = ARCHITECTURES[processor]
  const ask = (call: calls.SystemCall, ...args: readonly number[]): string =>
    decide(processor, { arch, number: call[processor] ?? -1, args })

  it('ends a process that calls as another processor does', () => {
    const others = Object.values({ ...FOREIGN_ARCHITECTURES, ...ARCHITECTURES }).filter(
      (each) => each !== arch,
    )
    for (const other of others) expect(decide(processor, { arch: other, number: 1 })).toBe('kill')
    if (processor === 'x64') expect(decide(processor, { arch, number: 0x4000_0000 + 41 })).toBe('kill')
  })

  it('makes a system call missing that it does not know', () => {
    fc.assert(
      fc.property(fc.integer({ min: calls.LAST_KNOWN_NUMBER + 1, max: 0x3fff_ffff }), (number) => {
        expect(decide(processor, { arch, number })).toBe(`errno ${ENOSYS}`)
      }),
    )
  })

  it('refuses each listed call, whatever its arguments', () => {
    const args = fc.array(fc.integer(), { maxLength: 6 })
    for (const [list, errno] of [
      [calls.REFUSED_CALLS, EPERM],
      [calls.MISSING_CALLS, ENOSYS],
    ] as const)
      for (const call of list.filter((each) => each[processor] !== undefined))
        fc.assert(
          fc.property(args, (values) => {
            expect(ask(call, ...values)).toBe(`errno ${errno}`)
          }),
          { numRuns: 5 },
        )
  })

  it('allows every other known call but those whose arguments decide', () => {
    const special = [
      calls.CLONE,
      calls.FCNTL,
      calls.IOCTL,
      calls.PERSONALITY,
      calls.OPEN,
      calls.OPENAT,
      ...Object.values(calls.MODE_CALLS).flat(),
      calls.SHMGET,
      calls.SOCKET,
      calls.SOCKETPAIR,
    ]
    const listed = new Set(
      [...special, ...calls.REFUSED_CALLS, ...calls.MISSING_CALLS].map((each) => each[processor]),
    )
    for (let number = 0; number <= calls.LAST_KNOWN_NUMBER; number += 1)
      if (!listed.has(number))
        expect([number, decide(processor, { arch, number })]).toEqual([number, 'allow'])
  })

  it('allows sockets of the Internet and of routes, and no others', () => {
    const allowed = new Set([2, 10])
    for (let family = 0; family < 64; family += 1)
      expect([family, ask(calls.SOCKET, family, 1, 7)]).toEqual([
        family,
        allowed.has(family) ? 'allow' : `errno ${EAFNOSUPPORT}`,
      ])
    expect(ask(calls.SOCKET, 16, 3, 0)).toBe('allow')
    // The kernel takes the lower half of the register alone.
    expect(ask(calls.SOCKET, 2 ** 32 + 40, 1, 0)).toBe(`errno ${EAFNOSUPPORT}`)
    expect(ask(calls.SOCKET, 2 ** 32 + 1, 1, 0)).toBe(`errno ${EAFNOSUPPORT}`)
  })

  it('allows pairs of sockets that are connected for good', () => {
    const [nonblocking, closeOnExec] = [0o4000, 0o2_000_000]
    for (const type of [1, 5, 1 | nonblocking | closeOnExec])
      expect(ask(calls.SOCKETPAIR, 1, type, 0)).toBe('allow')
    for (const type of [2, 3, 2 | closeOnExec, 4])
      expect(ask(calls.SOCKETPAIR, 1, type, 0)).toBe(`errno ${EAFNOSUPPORT}`)
    expect(ask(calls.SOCKETPAIR, 30, 1, 0)).toBe(`errno ${EAFNOSUPPORT}`)
  })

  it('allows processes and threads, and no namespaces', () => {
    const thread = 0x3d0f00
    expect(ask(calls.CLONE, 17)).toBe('allow')
    expect(ask(calls.CLONE, thread)).toBe('allow')
    for (const bit of [0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000])
      expect(ask(calls.CLONE, bit | 17)).toBe(`errno ${EPERM}`)
  })

  it('refuses large segments of shared memory, which count for no process', () => {
    for (const size of [1, 16 * 1024]) expect(ask(calls.SHMGET, 0, size, 0)).toBe('allow')
    for (const size of [16 * 1024 + 1, 2 ** 32, 2 ** 32 + 1])
      expect(ask(calls.SHMGET, 0, size, 0)).toBe('errno 22')
  })

  it('refuses set-user-id and set-group-id bits, and no other mode', () => {
    const [create, temporary, others] = [0o100, 0o2000_0000, 0o3077]
    const asks: ((mode: number) => string)[] = [
      (mode) => ask(calls.OPENAT, 3, 0, create | others, mode),
      (mode) => ask(calls.OPENAT, 3, 0, temporary | 1, mode),
    ]
    if (calls.OPEN[processor] !== undefined) asks.push((mode) => ask(calls.OPEN, 0, create | 1, mode))
    for (const call of calls.MODE_CALLS[1].filter((each) => each[processor] !== undefined))
      asks.push((mode) => ask(call, 0, mode))
    for (const call of calls.MODE_CALLS[2]) asks.push((mode) => ask(call, 3, 0, mode))
    expect(asks.length).toBe(processor === 'x64' ? 10 : 6)
    const mode = fc.integer({ min: 0, max: 0xffff_ffff })
    fc.assert(
      fc.property(fc.constantFrom(...asks), mode, (by, value) => {
        expect(by(value)).toBe((value & 0o6000) === 0 ? 'allow' : `errno ${EPERM}`)
      }),
    )
    fc.assert(
      fc.property(mode, (value) => {
        expect(ask(calls.OPENAT, 3, 0, others & ~create, value)).toBe('allow')
      }),
    )
  })

  it('refuses leases, for which those wait who open the file', () => {
    for (const command of [0, 1, 2, 3, 4, 6, 7, 37, 1025, 1030, 1031])
      expect(ask(calls.FCNTL, 3, command)).toBe('allow')
    for (const command of [1024, 1026, 2 ** 32 + 1024])
      expect(ask(calls.FCNTL, 3, command)).toBe(`errno ${EPERM}`)
  })

  it('refuses to type into a terminal', () => {
    expect(ask(calls.IOCTL, 0, 0x5401)).toBe('allow')
    for (const request of [0x5412, 0x541c, 0x5423, 2 ** 32 + 0x5412])
      expect(ask(calls.IOCTL, 0, request)).toBe(`errno ${EPERM}`)
  })
})

it('does not exist for a processor whose system calls are not known', () => {
  expect(seccompFilter('riscv64')).toBeUndefined()
})

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, it } from 'vitest'

import { isFull } from '../../../../test/support/is-full.ts'
import { outputIn, SANDBOXES, temporaryFolder, type Sandbox } from '../support/walls.ts'

const MIB = 2 ** 20
const DISK_MIB = 64
/** Of a small disk a tenth. */
const RESERVE_BYTES = (DISK_MIB * MIB) / 10

const USER_FLAG = process.getuid?.() === 0 ? '' : '-r'
const FILE_PROGRAM = join(import.meta.dirname, '../support/file-program.ts')

/** Runs a command where home and workspace lie on a small disk, and returns how much is free afterwards, in bytes. */
async function onSmallDisk(sandbox: Sandbox, before: string, command: string) {
  const [disk, outside] = [await temporaryFolder(), await temporaryFolder()]
  const script = `exec unshare ${USER_FLAG} -m --propagation private sh -c 'set -e
    mount -t tmpfs -o size=${DISK_MIB}m tmpfs ${disk}; mkdir -p ${disk}/home/server ${disk}/root; cd ${disk}/root
    ${before}
    "$@"; stat -f -c "%a %S" ${disk} >${outside}/free' sh "$@"`
  const text = await outputIn(sandbox, disk, script, command)
  const [blocks = 0, size = 0] = (await readFile(join(outside, 'free'), 'utf8')).split(' ').map(Number)
  return { text, freeBytes: blocks * size }
}

describe.runIf(isFull && process.platform === 'linux').each(SANDBOXES)(
  'a command in the sandbox of $sandbox',
  ({ sandbox, works }) => {
    const test = it.skipIf(!works)

    test.each([
      ['one file after the other', 'for i in 1 2 3 4 5 6 7 8 9; do head -c 9M /dev/zero >f$i; done'],
      ['files at once', 'for i in 1 2 3 4 5 6 7 8 9; do head -c 9M /dev/zero >f$i & done; wait'],
      ['space without writing it', 'fallocate -l 62M f || fallocate -l 40M f; fallocate -l 30M g'],
      ['what it has opened and deleted', 'exec 5>f; rm f; head -c 80M /dev/zero >&5; sleep 1'],
    ])('does not take the last of a disk by %s', async (_, command) => {
      const { freeBytes } = await onSmallDisk(sandbox, '', `${command}; ls`)

      expect(freeBytes).toBeGreaterThanOrEqual(RESERVE_BYTES - MIB)
    })

    test('may free space on a disk that is nearly full', async () => {
      const used = DISK_MIB * MIB - RESERVE_BYTES - MIB
      const { text, freeBytes } = await onSmallDisk(
        sandbox,
        `fallocate -l ${Math.floor(used)} old`,
        'sleep 0.3; rm old; sleep 0.3; echo freed',
      )

      expect(text).toBe('freed\n')
      expect(freeBytes).toBeGreaterThan(50 * MIB)
    })

    test('does not begin on a disk that is full', async () => {
      const { text } = await onSmallDisk(sandbox, `fallocate -l ${60 * MIB} old`, 'echo begun')

      expect(text).toMatch(/The disk is nearly full, and commands may not take its last 7 MB/)
    })
  },
)

describe.runIf(isFull && SANDBOXES.some(({ sandbox, works }) => sandbox === 'unshare' && works))(
  'files that are written at once',
  () => {
    it('do not take the last of a disk', async () => {
      const disk = await temporaryFolder()
      const script = `exec unshare ${USER_FLAG} -m --propagation private sh -c 'set -e
        mount -t tmpfs -o size=${DISK_MIB}m tmpfs ${disk}; "$@"; echo; stat -f -c "%a %S" ${disk}' sh "$@"`
      const words = [process.execPath, FILE_PROGRAM, disk]
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script, 'sh', ...words])
      const [refusal, free = ''] = stdout.trim().split('\n')
      const [blocks = 0, size = 0] = free.split(' ').map(Number)

      expect(refusal).toMatch(/The disk is nearly full, and files may not take its last 7 MB/)
      expect(blocks * size).toBeGreaterThanOrEqual(RESERVE_BYTES)
      expect(blocks * size).toBeLessThan(RESERVE_BYTES + 8 * MIB)
    })
  },
)

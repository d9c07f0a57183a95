import { statfs } from 'node:fs/promises'

import { expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { createDiskReserves } from './disk-space.ts'

const RESERVE_BYTES = 1024 ** 2

async function rig() {
  const { root } = await servedFolder()
  const { bavail, bsize } = await statfs(root)
  const disks = createDiskReserves(RESERVE_BYTES)
  const endless = Promise.withResolvers<string>()
  return {
    freeBytes: bavail * bsize,
    end: () => endless.resolve('written'),
    write: (bytes: number) => disks.write(root, bytes, () => endless.promise),
  }
}

it('refuses a file that would take the last of its disk, and takes others', async () => {
  const { freeBytes, write, end } = await rig()
  end()

  await expect(write(freeBytes)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The disk is nearly full, and files may not take its last 1 MB. Free some space first.',
  })
  expect(await write(freeBytes / 2)).toBe('written')
})

it('counts together what is written at the same time, until it is written', async () => {
  const { freeBytes, write, end } = await rig()
  const first = write(freeBytes * 0.6)

  await expect(write(freeBytes * 0.6)).rejects.toMatchObject({ code: 'unavailable' })
  end()
  expect(await first).toBe('written')
  expect(await write(freeBytes * 0.6)).toBe('written')
})

it('writes where there is no folder, as of a server without a home', async () => {
  const { root } = await servedFolder()
  const disks = createDiskReserves(RESERVE_BYTES)

  expect(await disks.write(`${root}/none`, 1, async () => 'written')).toBe('written')
})

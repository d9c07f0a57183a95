import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'vitest'

import * as calls from '../../src/commands/system-calls.ts'
import { numberOf, output, systemCalls, type Sandbox } from './walls.ts'

/** Tries each way to a file that runs as its owner or group. */
export async function refuseSetIdBits(sandbox: Sandbox): Promise<void> {
  const [open, openat] = [numberOf(calls.OPEN), numberOf(calls.OPENAT)]
  const [path, folder] = ['($path = "made")', '($path = ".")']
  const ways = [
    ...calls.MODE_CALLS[1].map((call) => [numberOf(call), path, 0o6755, 0]),
    ...calls.MODE_CALLS[2].map((call) => [numberOf(call), -100, path, 0o6755, 0]),
    [open, path, 0o101, 0o6755],
    [openat, -100, path, 0o101, 0o6755],
    [openat, -100, folder, 0o2020_0002, 0o4755],
  ].filter(([number]) => number !== -1)
  const { root, text } = await output(
    sandbox,
    'cp /bin/sh made; chmod 755 made && echo may; chmod 4755 made; chmod g+s made; mkdir -m 6755 folder; ' +
      systemCalls({
        ...Object.fromEntries(ways.map((way, index) => [`way-${index}`, way])),
        'open-otherwise': [openat, -100, path, 0, 0o6755],
      }),
  )
  expect(text).toMatch(/^may\n/)
  expect(text).toMatch(/open-otherwise made\n$/)
  expect(text.match(/ 1$/gm)).toHaveLength(ways.length)
  for (const name of await readdir(root))
    expect([name, (await stat(join(root, name))).mode & 0o6000]).toEqual([name, 0])
}

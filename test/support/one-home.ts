import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach } from 'vitest'

import { run } from './process.ts'

/** A home for each test of a file, and the processes that the test starts on it. Each test ends its processes. */
export function oneHome() {
  let home = ''
  let children: ReturnType<typeof run>[] = []
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    children = []
  })
  afterEach(async () => {
    for (const child of children) child.kill()
    await Promise.all(children.map(({ ended }) => ended))
    await rm(home, { recursive: true })
  })
  return {
    get home() {
      return home
    },
    start(...args: Parameters<typeof run>): ReturnType<typeof run> {
      const child = run(...args)
      children.push(child)
      return child
    },
  }
}

import { afterEach, beforeEach } from 'vitest'

import { run } from './process.ts'
import { createTempDir } from './create-temp-dir.ts'

/** A home for each test of a file, and the processes that the test starts on it. Each test ends its processes. */
export function useProcesses() {
  let home = ''
  let children: ReturnType<typeof run>[] = []
  beforeEach(async () => {
    home = await createTempDir()
    children = []
  })
  afterEach(async () => {
    for (const child of children) child.kill()
    await Promise.all(children.map(({ ended }) => ended))
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

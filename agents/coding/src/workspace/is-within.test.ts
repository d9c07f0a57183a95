import { describe, expect, it } from 'vitest'

import { isWithinAnyForm } from './is-within.ts'

describe('a path below a folder in any form', () => {
  it.each([
    ['/home/ada/.ssh', '/home/ada/.SSH/keys', true],
    ['/home/ada/.ssh', '/home/ada/.ſsh', true],
    ['/home/ada/.ssh', '/home/ada/.s\u200Dsh', true],
    ['/home/ada/.ssh', '/home/ada/.ßh', true],
    ['/home/ada/café', '/home/ada/cafe\u0301/x', true],
    ['/home/ada/.ssh', '/home/ada/.ssh2', false],
    ['/home/ada/.ssh', '/home/ada', false],
  ])('%s, %s: %s', (folder, path, is) => {
    expect(isWithinAnyForm(folder, path)).toBe(is)
  })
})

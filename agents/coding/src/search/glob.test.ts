import { describe, expect, it } from 'vitest'

import { lastName, plainFolder } from './glob.ts'

describe('a pattern for names', () => {
  it('begins with folders that it names plainly', () => {
    expect(['src/deep/*.ts', 'src/a.ts', '*.ts', 'a.ts', '**/a.ts', '!src/a.ts'].map(plainFolder)).toEqual([
      'src/deep',
      'src',
      '',
      '',
      '',
      '',
    ])
  })

  it('ends with what it asks of a name', () => {
    expect(['src/*.ts', '*.{ts,tsx}', 'src/**', '{a/b,c}', '[ab].ts', '!*.ts'].map(lastName)).toEqual([
      '*.ts',
      '*.{ts,tsx}',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})

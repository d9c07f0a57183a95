import { describe, expect, it } from 'vitest'

import { lastName, fixedFolder } from './glob.ts'

describe('glob', () => {
  it('has a fixed folder prefix', () => {
    expect(['src/deep/*.ts', 'src/a.ts', '*.ts', 'a.ts', '**/a.ts', '!src/a.ts'].map(fixedFolder)).toEqual([
      'src/deep',
      'src',
      '',
      '',
      '',
      '',
    ])
  })

  it('has a last name', () => {
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

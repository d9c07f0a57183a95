import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { tokenize } from './tokenize.ts'

describe('tokenize', () => {
  it.each([
    ['Hello, World!', 'hello world'],
    ['找工作', '找 工 作'],
    ['用React写', '用 react 写'],
    ['ＲＥＡＣＴ　１８', 'react 18'],
    ['Crème brûlée, ﬁnal', 'creme brulee final'],
    ['C++ and C#, not c#minor', 'cplusplus and csharp not c minor'],
    ['node.js foo_bar "quoted" AND*', 'node js foo bar quoted and'],
    ['きのう 어제', 'き の う 어제'],
    ['हिन्दी', 'हिन्दी'],
    ['\u{20bb7}野家', '\u{20bb7} 野 家'],
    ['!?… 👋', ''],
    ['\ud800 x', 'x'],
  ])('splits %j into %j', (text, found) => {
    expect(tokenize(text)).toBe(found)
  })

  it('takes little time for a letter with many marks', () => {
    expect(cpuMs(() => tokenize(`a${'\u0301\u0327'.repeat(500_000)}`))).toBeLessThan(500)
  })
})

import { Jieba } from '@node-rs/jieba'
import { dict } from '@node-rs/jieba/dict.js'
import { expect, it, vi } from 'vitest'

import { countTurns } from '../../../../test/support/count-turns.ts'

it('loads the dictionary in many turns of the event loop, as it would at once', async () => {
  // Other files in this process may have loaded it.
  vi.resetModules()
  const { openWords } = await import('./search-words.ts')
  const opening = openWords()
  const turns = await countTurns(opening)
  const words = await opening
  const whole = Jieba.withDict(dict)
  // Each hundredth word, in sentences of twenty.
  const all = Buffer.from(dict).toString('utf8').split('\n')
  const sample = all.filter((_line, index) => index % 100 === 0).map((line) => line.split(' ')[0] ?? '')
  const texts = Array.from({ length: Math.floor(sample.length / 20) }, (_, index) =>
    sample.slice(index * 20, index * 20 + 20).join(''),
  )
  const differ = texts.filter((text) => {
    const indexed = new Set(words.index(text).split(' '))
    return whole.cut(text).some((word) => /^\p{Script=Han}+$/u.test(word) && !indexed.has(word))
  })

  expect(turns).toBeGreaterThan(100)
  expect(texts.length).toBeGreaterThan(100)
  expect(differ).toEqual([])
})

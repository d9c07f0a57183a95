import { expect, it } from 'vitest'

import { shortenTitle } from './shorten-title.ts'

it.each([
  ['Show me my chart', 'Show me my chart'],
  ['What does the almanac say about the day after tomorrow?', 'What does the almanac say about the day'],
  ['今年的运势会怎么样😀，我想知道', '今年的运势会怎么样😀'],
  ['看看我的八字', '看看我的八字'],
  ['我的 iPhone 坏了，怎么办才好呢', '我的 iPhone 坏了，怎么办'],
  ['x'.repeat(60), 'x'.repeat(40)],
  ['It is raining, and what should we do now, friend?', 'It is raining, and what should we do now'],
  ['', ''],
])('shortens %j to %j', (text, title) => {
  expect(shortenTitle(text, 40)).toBe(title)
})

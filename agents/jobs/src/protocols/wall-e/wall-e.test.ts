import { describe, expect, it } from 'vitest'

import { describeProtocol } from '../../../../../packages/dragoman/src/protocols/protocol.contract.ts'
import { logOf, run, stories } from '../../../../../packages/dragoman/src/protocols/stories.fixture.ts'
import { wallEJudge } from './judge.fixture.ts'
import { wallE } from './index.ts'

describeProtocol(wallE, wallEJudge)

describe('wall-e', () => {
  it('keeps the texts of several steps apart, as the client joins them', () => {
    const encoder = wallE.encoder({ run, view: wallE.view({}, {}) })
    const texts = new Map<string, string>()
    for (const text of logOf(stories.tools).flatMap((entry) => encoder(entry))) {
      const frame = JSON.parse(text) as { type: string; textId: string; content: string }
      if (frame.type === 'text-end') texts.set(frame.textId, frame.content)
    }
    const [, ...later] = texts.values()

    expect(later.length).toBeGreaterThan(0)
    expect(later.every((content) => content === '' || content.startsWith('\n\n'))).toBe(true)
  })

  it.each([
    [{ 'x-eve-token': 'bdlkabcdefghijklmnopabcdefghijkl' }, true],
    [{ 'x-eve-token': 'secret', authorization: 'Bearer secret' }, false],
    [{ authorization: 'Bearer secret' }, false],
    [{}, false],
  ])('is for the extension alone: with the headers %j it is %s', (headers, expected) => {
    expect(wallE.readsPlainTexts(new Headers(headers as Record<string, string>))).toBe(expected)
  })
})

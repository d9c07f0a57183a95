import { describe, expect, it } from 'vitest'

import type { FrameValidator } from '../../../../../packages/dragoman/src/protocols/frame-validators.fixture.ts'
import { describeProtocol } from '../../../../../packages/dragoman/src/protocols/protocol.contract.ts'
import { logOf, run, stories } from '../../../../../packages/dragoman/src/protocols/stories.fixture.ts'
import { toolMark } from './tool-mark.ts'
import { vibelifeMarks } from './index.ts'

/** What pages read of the text: the same expression as in theirs. */
const MARK = /\[\[TOOL:(\w+):([\s\S]*?)\]\]/g

/** Every line is one of the AI SDK's, each mark of the text is JSON, and the last line is the finish or an error. */
const judge: FrameValidator = (frames, whole) => {
  for (const frame of frames) {
    const [, code = '', json = ''] = /^([0-9a-g]):(.*)$/s.exec(frame) ?? []
    const value: unknown = JSON.parse(json)
    if (code !== '0' || typeof value !== 'string') continue
    for (const [, , mark = ''] of value.matchAll(MARK)) JSON.parse(mark)
  }
  if (whole && !/^[d3]:/.test(frames.at(-1) ?? '')) throw new Error('the end is missing')
}

describeProtocol(vibelifeMarks, judge)

describe('a result as a mark in the text', () => {
  it.each([
    [{ cardType: 'bazi_chart', rows: [[1, 2], [[3]]], text: 'a]] b]\\" c' }],
    [{ text: '\\', list: [] }],
    [{ text: ']]', nested: { list: [[']']] } }],
  ])('is read whole by an expression that ends at the next two brackets: %j', (output) => {
    const text = `before ${toolMark('show_card', output, '')} after`

    const found = [...text.matchAll(MARK)]
    expect(found.map(([, name, json]) => [name, JSON.parse(json ?? '')])).toEqual([['show_card', output]])
  })

  it('has its text if it is no object, and is none if it says an error', () => {
    expect(toolMark('my-tool', [1], 'one')).toBe('[[TOOL:my_tool:{"text":"one","value":[1] }]]')
    expect(toolMark('my-tool', null, 'one')).toBe('[[TOOL:my_tool:{"text":"one"}]]')
    expect(toolMark('show', { status: 'error', error: 'no birth' }, '')).toBeUndefined()
  })

  it('comes in the language of the conversation, with what is being done', () => {
    const frames = (language: string) => {
      const request = { ...run.request, context: { language } }
      const encode = vibelifeMarks.encoder({ run: { ...run, request }, view: {} })
      return logOf(stories.tools).flatMap((entry) => encode(entry))
    }
    const thinking = frames('zh').filter((frame) => frame.startsWith('2:["thinking"'))

    expect(thinking[0]).toBe(
      '2:["thinking",{"id":"think_0","phase":"analyzing","content":"正在分析您的问题...","iteration":0,"is_complete":false}]',
    )
    expect(thinking.at(-1)).toContain('"phase":"complete"')
    expect(frames('en').join('\n')).toContain('Thinking about your question...')
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { chartOf } from '../../src/chart/chart-of.ts'
import { usualOptions } from '../../src/birth/birth.ts'
import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { framesOf } from '../../../../test/support/event-stream.ts'
import { client } from '../../../../test/support/http.ts'
import { calls, says, scriptedModel, step, type Script } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { life } from '../../src/index.ts'

const model = scriptedModel()
let server: TestServer
beforeAll(async () => {
  server = await openServer({ models: model.models, agents: [life] })
})
afterAll(() => server[Symbol.asyncDispose]())

type Outcome = { readonly output: Readonly<Record<string, Json>>; readonly text: string }

/** One run in a conversation of its own: what its tools returned, and how it ended. */
async function run(message: string, script: Script, context: Json = {}) {
  model.play(script)
  const { body } = await client(server).json('POST', '/v1/threads', { agent: 'life' })
  const response = await client(server).post(`/v1/threads/${String(body['id'])}/runs`, { message, context })
  const events = framesOf(Buffer.from(await response.arrayBuffer()))
  const returned = events.filter(({ type }) => type === 'tool.returned') as unknown as Outcome[]
  const failed = events.filter(({ type }) => type === 'tool.failed')
  return { returned, failed: JSON.stringify(failed), end: events.at(-1)?.['type'] }
}

const asks = (tool: string, input: Readonly<Record<string, Json>> = {}): Script => [
  step(calls('c1', tool, input)),
  step(says('…')),
]
const form = {
  info_type: 'birth',
  birthDate: '1990-05-15',
  birthTime: '14:30',
  birthPlace: '',
  gender: 'male',
}
const birth = {
  date: { calendar: 'solar', year: 1990, month: 5, day: 15 },
  time: { hour: 14, minute: 30 },
  gender: 'male',
  options: usualOptions,
} as const

describe('the life agent’s cards, over the real server', () => {
  it('ask by a form, chart what was filled in, and show it again later', async () => {
    const nothing = await run('看看我的八字', [
      step(calls('c1', 'show_bazi_chart', {})),
      step(calls('c2', 'request_info', { info_type: 'birth' })),
      step(says('填好就能看。')),
    ])
    expect(nothing.returned.map(({ output }) => output)).toMatchObject([
      { status: 'error', cardType: 'need_info', need_info: 'birth' },
      { status: 'collecting', cardType: 'collect_form', infoType: 'birth' },
    ])

    const { returned } = await run('填好了', asks('show_bazi_chart'), { form })
    expect(returned[0]?.output['chart']).toEqual(JSON.parse(JSON.stringify(chartOf(birth))))
    expect(returned[0]?.text).toContain('年柱 庚午，月柱 辛巳，日柱 庚辰，时柱 癸未')
    // What the model reads is what the card says.
    expect(JSON.stringify(model.prompts[1])).toContain('日柱 庚辰')

    const later = await run('And my year 2030?', asks('show_bazi_fortune', { year: 2030 }))
    expect(later.returned[0]?.text).toContain('The year 2030, Geng-Xu (庚戌)')
  })

  it.each([
    ['calculate_bazi', { birth_date: '1990-02-30', gender: 'male' }, 'birth_date'],
    ['calculate_bazi', { birth_date: '1990-05-15', gender: 'robot' }, 'gender'],
    ['show_bazi_kline', { start_year: 1990, end_year: 2200 }, 'end_year'],
    ['ask_user_question', { question: 'Which?', options: ['a', 'b', 'c', 'd', 'e'] }, 'options'],
    ['show_insight', { title: 'Empty' }, 'content'],
  ])('a call of %s with %j fails, names %s, and the run goes on', async (tool, input, field) => {
    const { failed, returned, end } = await run('Try.', asks(tool, input))

    expect(returned).toEqual([])
    expect(failed).toContain(field)
    expect(failed).toContain('invalid-input')
    expect(end).toBe('run.finished')
  })

  it('finds what was said and what was to be remembered', async () => {
    await run('请记住我喜欢爬山', asks('save_memory', { content: '喜欢爬山', type: 'preference' }))
    // A search waits 200 ms at most for what its user has just written.
    const search = async () => {
      const { returned } = await run('我跟你说过爬山吗？', asks('search_db', { query: '爬山' }))
      return returned[0]?.output
    }

    await expect.poll(search).toMatchObject({
      cardType: 'search_results',
      memories: [{ content: '喜欢爬山' }],
      messages: expect.arrayContaining([expect.objectContaining({ role: 'user', text: '请记住我喜欢爬山' })]),
    })
  })
})

describe('the mistakes of a model', () => {
  it.each([
    ['我的2027年', '这一步有内容没有填对（year）。'],
    ['How is my 2027?', 'Something in this step was not filled in as it should be (year).'],
  ])('are said in the language of the conversation, and told to the model: %s', async (message, words) => {
    const { failed } = await run(message, asks('show_bazi_fortune', { year: 'soon' }))

    expect(failed).toContain(words)
    expect(failed).not.toMatch(/✖|Invalid|not as it must be/)
    expect(JSON.stringify(model.prompts.at(-1))).toContain('expected number')
  })

  it('are amended where it is clear what is meant: numbers as texts, 男, and nothing as an empty text', async () => {
    const typed = { birth_date: '1990-05-15', birth_time: '', gender: '男', birth_location: '' }
    const { returned, failed } = await run('算八字', [
      step(calls('c1', 'calculate_bazi', typed)),
      step(calls('c2', 'show_bazi_fortune', { year: '2027', include_past: 'false' })),
      step(calls('c3', 'show_bazi_kline', { start_year: '', end_year: null })),
      step(says('…')),
    ])

    expect(failed).toBe('[]')
    expect(returned.map(({ output }) => output['cardType'])).toEqual([
      'bazi_chart',
      'bazi_fortune',
      'bazi_kline',
    ])
  })
})

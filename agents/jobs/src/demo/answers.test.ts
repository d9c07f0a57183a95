import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { demoModel } from '../../../../packages/dragoman/src/models/demo/index.ts'
import { demo } from './index.ts'

type Turn = LanguageModelV4Prompt[number]

const tools: NonNullable<LanguageModelV4CallOptions['tools']> = ['jobs_search', 'jobs_list'].map((name) => ({
  type: 'function',
  name,
  inputSchema: { type: 'object' },
}))

const user = (text: string): Turn => ({ role: 'user', content: [{ type: 'text', text }] })
const said = (text: string): Turn => ({ role: 'assistant', content: [{ type: 'text', text }] })
const called = (toolCallId: string, toolName: string, input: object): Turn => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId, toolName, input }],
})
const returned = (toolCallId: string, toolName: string, output: LanguageModelV4ToolResultOutput): Turn => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName, output }],
})
const cutOff = user('[Continue] Your answer was cut off. Go on from its last word.')

async function answerTo(...prompt: Turn[]) {
  const { content } = await demoModel(demo, { pace: 0 }).doGenerate({ prompt, tools })
  return {
    text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    calls: content.flatMap((part) => (part.type === 'tool-call' ? [part] : [])),
  }
}

const found: LanguageModelV4ToolResultOutput = {
  type: 'text',
  value: `找到 12 个匹配的软件工程师职位\n${Array.from({ length: 12 }, (_, at) => `${at + 1}. Engineer ${at + 1} — Acme`).join('\n')}`,
}
const searched = called('c1', 'jobs_search', {
  keywords: '软件工程师',
  location: 'San Francisco',
  remote: true,
})
const afterSearch = [user('帮我搜索软件工程师职位'), searched, returned('c1', 'jobs_search', found)]

describe('after a tool has returned', () => {
  it('says how many there are, names the first, and what to do next', async () => {
    const { text, calls } = await answerTo(...afterSearch)

    expect(calls).toEqual([])
    expect(text.split('\n\n').slice(0, 3)).toEqual([
      '我为你找到了 12 个匹配的远程软件工程师职位（地点：San Francisco）。',
      '1. Engineer 1 — Acme\n2. Engineer 2 — Acme\n3. Engineer 3 — Acme\n4. Engineer 4 — Acme\n5. Engineer 5 — Acme\n……另外还有 7 个。',
      '如果想缩小范围，可以加上地点、远程或薪资，例如“搜索北京的远程后端职位，年薪30万以上”。',
    ])
  })

  it('speaks English to who speaks it, whatever the tool speaks', async () => {
    const { text } = await answerTo(
      user('find rust jobs'),
      called('c1', 'jobs_search', { keywords: 'rust' }),
      returned('c1', 'jobs_search', {
        type: 'text',
        value: '找到 1 个匹配的 rust 职位\n1. Rustacean — Acme',
      }),
    )

    expect(text).toMatch(/^I found 1 matching rust posting\.\n\n1\. Rustacean — Acme\n\n/)
  })

  it('says so when nothing was found', async () => {
    const { text } = await answerTo(
      user('find cobol jobs'),
      called('c1', 'jobs_search', { keywords: 'cobol' }),
      returned('c1', 'jobs_search', { type: 'text', value: 'No matching postings.' }),
    )

    expect(text).toMatch(/^I found no matching cobol postings\.\n\nFewer words/)
  })

  it.each([
    [
      '没有完全匹配的Java 8职位，找到 3 个部分匹配的：\n1. A',
      '没有完全匹配的 Java 8 职位，我找到了 3 个部分匹配的。',
    ],
    [
      'No posting matches all of "Java 8". Found 3 that match a part of it:\n1. A',
      '没有完全匹配的 Java 8 职位，我找到了 3 个部分匹配的。',
    ],
    ['没有找到匹配的Java 8职位。', '没有找到匹配的 Java 8 职位。'],
    ['Found no matching postings for "Java 8".', '没有找到匹配的 Java 8 职位。'],
    ['Found 57 matching postings for "Java 8", the best 10:\n1. A', '我为你找到了 57 个匹配的 Java 8 职位。'],
  ])('does not make more of it than the tool did: %s', async (value, lead) => {
    const { text } = await answerTo(
      user('搜索 Java 8 职位'),
      called('c1', 'jobs_search', { keywords: 'Java 8' }),
      returned('c1', 'jobs_search', { type: 'text', value }),
    )

    expect(text.split('\n\n')[0]).toBe(lead)
  })

  it.each<[string, LanguageModelV4ToolResultOutput, string]>([
    [
      'a count with its parts',
      { type: 'text', value: '共 57 个职位（待处理 3，已投递 54），列出 2 个：\n1. A\n2. B' },
      'You have 57 saved postings.\n\n1. A\n2. B\n… and 55 more.',
    ],
    [
      'json with a sentence',
      { type: 'json', value: { text: '2 saved\n- A\n- B' } },
      'You have 2 saved postings.\n\n1. A\n2. B',
    ],
    [
      'content',
      { type: 'content', value: [{ type: 'text', text: 'Found 1\n1. A' }] },
      'You have 1 saved posting.\n\n1. A',
    ],
    ['data without a sentence', { type: 'json', value: ['x'] }, '[\n  "x"\n]'],
    ['words without a count', { type: 'text', value: 'See the page.' }, 'See the page.'],
    ['nothing', { type: 'text', value: '' }, 'The tool jobs_list returned nothing.'],
    [
      'an error',
      { type: 'error-text', value: 'The database is locked.' },
      'The tool jobs_list failed: The database is locked.',
    ],
    [
      'an error as data',
      { type: 'error-json', value: { message: 'Locked.' } },
      'The tool jobs_list failed: Locked.',
    ],
    ['a refusal', { type: 'execution-denied' }, 'The tool jobs_list failed.'],
  ])('reads %s', async (_what, output, start) => {
    const { text } = await answerTo(
      user('list my jobs'),
      called('c1', 'jobs_list', {}),
      returned('c1', 'jobs_list', output),
    )

    expect(text.startsWith(start)).toBe(true)
  })

  it('tells of each of two calls, the failed one too', async () => {
    const { text } = await answerTo(
      user('search rust jobs and list my jobs'),
      called('c1', 'jobs_search', { keywords: 'rust' }),
      called('c2', 'jobs_list', {}),
      returned('c2', 'jobs_list', { type: 'error-text', value: 'Locked.' }),
      returned('c1', 'jobs_search', { type: 'text', value: 'Found 1\n1. A' }),
    )

    expect(text).toContain('The tool jobs_list failed: Locked.')
    expect(text).toContain('I found 1 matching rust posting.')
  })

  it('names a new call by a new id', async () => {
    const { calls } = await answerTo(...afterSearch, said('…'), user('list my jobs'))

    expect(calls).toMatchObject([{ toolCallId: 'offline_call_2', toolName: 'jobs_list' }])
  })
})

describe('after a crash', () => {
  it('calls again where no call has come to a result', async () => {
    expect((await answerTo(user('find rust jobs'), cutOff)).calls).toHaveLength(1)
    const interrupted = returned('c1', 'jobs_search', { type: 'error-text', value: 'interrupted' })
    expect((await answerTo(user('find rust jobs'), searched, interrupted, cutOff)).calls).toHaveLength(1)
    expect((await answerTo(...afterSearch, cutOff)).calls).toEqual([])
  })

  it('says all of its own where another model was cut off', async () => {
    const { text } = await answerTo(...afterSearch, said('Sure! Here are'), cutOff)

    expect(text).toMatch(/^我为你找到了 12 个/)
  })
})

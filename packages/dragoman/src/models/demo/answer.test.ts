import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { CUT_OFF_NOTICE } from '../../events/index.ts'
import { demoModel, type DemoScript } from './index.ts'
import { script } from './script.fixture.ts'

type Turn = LanguageModelV4Prompt[number]

const user = (...texts: string[]): Turn => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
})
const assistant = (text: string): Turn => ({ role: 'assistant', content: [{ type: 'text', text }] })
const result = (toolName: string, output: LanguageModelV4ToolResultOutput | string): Turn[] => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName, input: {} }] },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c1',
        toolName,
        output: typeof output === 'string' ? { type: 'text', value: output } : output,
      },
    ],
  },
]
const cutOff = user(CUT_OFF_NOTICE)

async function answerTo(
  prompt: readonly Turn[],
  { names = ['weather', 'book', 'button'], by = script }: { names?: string[]; by?: DemoScript } = {},
) {
  const tools: LanguageModelV4CallOptions['tools'] = names.map((name) => ({
    type: 'function',
    name,
    inputSchema: { type: 'object' },
  }))
  const { content } = await demoModel(by, { pace: 0 }).doGenerate({ prompt: [...prompt], tools })
  return {
    text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    calls: content.flatMap((part) =>
      part.type === 'tool-call' ? [{ [part.toolName]: JSON.parse(part.input) as unknown }] : [],
    ),
  }
}

const question = user('What is the weather in Oslo?')
const answered = [question, ...result('weather', 'mild')]

describe('an exchange', () => {
  it('calls its tool with the input from the match, in both languages, every time', async () => {
    for (const _ of [1, 2]) {
      expect(await answerTo([question])).toEqual({ text: '', calls: [{ weather: { city: 'Oslo' } }] })
      expect((await answerTo([user('看看奥斯陆的天气')])).calls).toEqual([{ weather: { city: '奥斯陆' } }])
    }
  })

  it('says the result in the language of the message', async () => {
    expect((await answerTo(answered)).text).toMatch(/^It is mild there\.\n\n/)
    const chinese = [user('奥斯陆的天气'), ...result('weather', '晴')]
    expect((await answerTo(chinese)).text).toMatch(/^那里的天气：晴。\n\n/)
  })

  it('makes the calls of its further steps, and keeps to the conditions of each', async () => {
    const first = [user('Book a table'), ...result('book', 'full')]
    const second = [...first, ...result('weather', 'mild')]

    expect((await answerTo([user('预订座位')])).calls).toEqual([{ book: { what: '座位' } }])
    expect(await answerTo(first)).toEqual({ text: 'FULL', calls: [{ weather: { city: 'Oslo' } }] })
    expect((await answerTo([user('Book a table'), ...result('book', 'Done.')])).text).toMatch(
      /^DONE\.\n\nEnjoy it\./,
    )
    expect((await answerTo(second)).text).toMatch(/^FULL\n\nOutside it is mild\.\n\nEnjoy it\.\n\n/)
  })

  it('continues after the text that came before a call', async () => {
    const prompt = [
      user('Book a table'),
      ...result('book', 'full'),
      assistant('FULL'),
      ...result('weather', 'mild'),
    ]

    expect((await answerTo(prompt)).text).toMatch(/^\n\nOutside it is mild\./)
  })

  it('ends with the error if a step fails', async () => {
    const failed = [user('Book a table'), ...result('book', { type: 'error-text', value: 'Locked.' })]

    expect((await answerTo(failed)).text).toMatch(/^book failed: Locked\.\n\nI am/)
  })

  it('can choose a tool of the run', async () => {
    expect((await answerTo([user('Press the button')])).calls).toEqual([
      { button: { language: 'en', hasSchema: true } },
    ])
  })

  it('is left out if the run does not have its tool', async () => {
    const { calls, text } = await answerTo([question], { names: [] })

    expect(calls).toEqual([])
    expect(text).toMatch(/^I am .*: try “What is snow\?”, or connect a real model/)
  })

  it('does not match the lines about the client’s context', async () => {
    expect((await answerTo([user('[Context: the weather in Oslo]', 'What is snow?')])).text).toMatch(
      /^Frozen/,
    )
  })
})

describe('a tool result without an exchange', () => {
  it.each<[string, LanguageModelV4ToolResultOutput, string]>([
    ['text', { type: 'text', value: 'A' }, 'A'],
    ['JSON', { type: 'json', value: ['x'] }, '["x"]'],
    ['no text', { type: 'text', value: '' }, 'other returned nothing.'],
    [
      'an error',
      { type: 'error-json', value: { message: 'Locked.' } },
      'other failed: {"message":"Locked."}',
    ],
    ['a refusal', { type: 'execution-denied', reason: 'No.' }, 'other failed: No.'],
  ])('is quoted: %s', async (_kind, output, start) => {
    const { text } = await answerTo([user('hm'), ...result('other', output)])

    expect(text.startsWith(`${start}\n\nI am dragoman's demo model`)).toBe(true)
  })

  it('is shortened if it is long', async () => {
    const { text } = await answerTo([user('hm'), ...result('other', 'x'.repeat(50_000))])

    expect(text.length).toBeLessThan(9000)
    expect(text).toContain('x …\n\n')
  })
})

describe('every other message', () => {
  it('gets one sentence with the examples of the script and how to set a key', async () => {
    expect(await answerTo([user('tell me a joke')])).toEqual({
      calls: [],
      text:
        "I am dragoman's demo model and only follow a script: " +
        'try “What is the weather in Oslo?”, “What is snow?”, “Press the button”, or ' +
        'connect a real model: under Models in the console, or by ANTHROPIC_API_KEY or OPENAI_API_KEY.',
    })
    expect((await answerTo([user('讲个笑话')])).text).toBe(
      '我是 dragoman 的演示模型，只会按脚本回答：可以试试“奥斯陆的天气”“What is snow?”“Press the button”，' +
        '或者连接真正的模型：在控制台的“模型”页面，或设置 ANTHROPIC_API_KEY 或 OPENAI_API_KEY。',
    )
  })

  it('gets the sentence without a script too', async () => {
    expect((await answerTo([question], { by: [] })).text).toMatch(
      /which this agent does not have: connect a real model/,
    )
    expect((await answerTo([user('你好')], { by: [] })).text).toMatch(/这里没有脚本：请连接真正的模型/)
  })

  it.each(['How do I get a real model?', 'Where do I put my API key?', '怎么接入真实模型？', '如何设置密钥'])(
    'gets the steps to a real model: %s',
    async (words) => {
      const { text } = await answerTo([user(words)])

      expect(text).toMatch(/^1\. [^]*^2\. [^]*^3\. .*ANTHROPIC_API_KEY/m)
    },
  )
})

describe('the introduction', () => {
  it('ends the first answer of a thread only, in the language of the user', async () => {
    const first = await answerTo([user('What is snow?')])
    const second = await answerTo([user('What is snow?'), assistant(first.text), user('What is snow?')])

    expect(first.text).toMatch(/^Frozen water\.\n\nI am dragoman's demo model: .*ANTHROPIC_API_KEY/)
    expect(second.text).toBe('Frozen water.')
    expect((await answerTo([user('奥斯陆的天气'), ...result('weather', '晴')])).text).toContain('演示模型')
  })

  it('is in the language that the system prompt names, or of the last message with letters', async () => {
    const system: Turn = { role: 'system', content: 'You help.\nAnswer in Chinese: 用中文。' }

    expect((await answerTo([system, user('What is snow?')])).text).toContain('演示模型')
    expect((await answerTo([user('你好'), assistant('…'), user('???')])).text).toContain('演示模型')
  })
})

describe('after a crash', () => {
  it('continues at the last character that was sent', async () => {
    const whole = (await answerTo(answered)).text

    for (let at = 0; at <= whole.length; at++) {
      const { text } = await answerTo([...answered, assistant(whole.slice(0, at)), cutOff])
      expect(whole.slice(0, at) + text).toBe(whole)
    }
  })

  it('ignores white space that an engine put between texts, and continues after a second crash', async () => {
    const whole = (await answerTo(answered)).text
    const spaced = [...answered, assistant('It is'), assistant('\n\n mild'), cutOff]
    const twice = [...answered, assistant(whole.slice(0, 10)), cutOff, assistant(whole.slice(10, 29)), cutOff]

    expect(`It is mild${(await answerTo(spaced)).text}`).toBe(whole)
    expect(whole.slice(0, 29) + (await answerTo(twice)).text).toBe(whole)
  })

  it('says its whole answer if another model was cut off', async () => {
    expect((await answerTo([...answered, assistant('Sure! Here are'), cutOff])).text).toMatch(/^It is mild/)
  })

  it('reads only the server’s own note as a request to continue', async () => {
    const prompt = [user('What is snow?'), assistant('Frozen'), user('my internet was cut off')]

    expect((await answerTo(prompt)).text).toContain('only follow a script')
  })
})

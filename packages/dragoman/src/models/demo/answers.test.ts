import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { demoModel, type DemoScript } from './index.ts'
import { script } from './script.fixture.ts'

type Turn = LanguageModelV4Prompt[number]
type Options = Partial<LanguageModelV4CallOptions> & { readonly by?: DemoScript }

const tools: NonNullable<LanguageModelV4CallOptions['tools']> = ['weather', 'book'].map((name) => ({
  type: 'function',
  name,
  inputSchema: { type: 'object' },
}))

const user = (text: string): Turn => ({ role: 'user', content: [{ type: 'text', text }] })
const said = (text: string): Turn => ({ role: 'assistant', content: [{ type: 'text', text }] })
const outcome = (toolName: string, output: LanguageModelV4ToolResultOutput, input: object = {}): Turn[] => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName, input }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName, output }] },
]
const came = (toolName: string, value: string): Turn[] => outcome(toolName, { type: 'text', value })
const cutOff = user('[Continue] Your answer was cut off. Go on from its last word.')

async function answerTo(prompt: readonly Turn[], { by = script, ...options }: Options = {}) {
  const model = demoModel(by, { pace: 0 })
  const { content } = await model.doGenerate({ prompt: [...prompt], tools, ...options })
  return {
    text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    calls: content.flatMap((part) =>
      part.type === 'tool-call' ? [{ [part.toolName]: JSON.parse(part.input) as unknown }] : [],
    ),
  }
}

const asked = user('What is the weather in Oslo?')
const answered = [asked, ...came('weather', 'mild')]

describe('an exchange', () => {
  it('calls its tool with the input that it makes of the match', async () => {
    expect((await answerTo([asked])).calls).toEqual([{ weather: { city: 'Oslo' } }])
    expect((await answerTo([user('看看奥斯陆的天气')])).calls).toEqual([{ weather: { city: '奥斯陆' } }])
  })

  it('says what came of it in its own words, in the language of the user', async () => {
    expect((await answerTo(answered)).text).toMatch(/^It is mild there\.\n\n/)
    expect((await answerTo([user('奥斯陆的天气'), ...came('weather', '晴')])).text).toMatch(
      /^那里的天气：晴。\n\n/,
    )
  })

  it('reads the conversation for its input, and needs no words', async () => {
    expect((await answerTo([user('Book a table')])).calls).toEqual([{ book: { what: 'Book a table' } }])
    expect((await answerTo([user('Book a table'), ...came('book', 'Done.')])).text).toMatch(
      /^book returned:\n\nDone\./,
    )
  })

  it('may only say something, each time that it is asked', async () => {
    expect((await answerTo([user('What is snow?')])).text).toMatch(/^Frozen water\.\n\n/)
    expect((await answerTo([user('What is snow?')])).text).toMatch(/^Frozen water\.\n\n/)
  })

  it('is passed over where the run has no such tool', async () => {
    const { calls, text } = await answerTo([asked], { tools: [] })

    expect(calls).toEqual([])
    expect(text).toMatch(/^That is beyond my fixed rules/)
    expect(text).not.toContain('Ask for the weather')
  })
})

it('follows a rule through several steps, and does not introduce itself below its words', async () => {
  const first = [user('weather twice')]
  const second = [...first, said('Step 1. '), ...came('weather', 'mild')]
  const third = [...second, said('Step 2. '), ...came('weather', 'wet')]

  expect(await answerTo(first)).toEqual({ calls: [{ weather: { city: 'Oslo' } }], text: 'Step 1. ' })
  expect((await answerTo(second)).calls).toEqual([{ weather: { city: 'Bergen' } }])
  expect(await answerTo(third)).toEqual({ calls: [], text: 'en: mild, wet' })
})

describe('what came of a tool', () => {
  it.each<[string, LanguageModelV4ToolResultOutput, string]>([
    ['json with a sentence', { type: 'json', value: { text: 'Done.' } }, 'book returned:\n\nDone.'],
    ['data', { type: 'json', value: ['x'] }, 'book returned:\n\n[\n  "x"\n]'],
    ['content', { type: 'content', value: [{ type: 'text', text: 'A' }] }, 'book returned:\n\nA'],
    ['nothing', { type: 'text', value: '' }, 'The tool book returned nothing.'],
    ['an error', { type: 'error-text', value: 'Locked.' }, 'The tool book failed: Locked.'],
    [
      'an error as data',
      { type: 'error-json', value: { message: 'Locked.' } },
      'The tool book failed: Locked.',
    ],
    ['a refusal', { type: 'execution-denied' }, 'The tool book failed.'],
  ])('is read from %s', async (_what, output, start) => {
    const { text } = await answerTo([user('Book it'), ...outcome('book', output)])

    expect(text.startsWith(start)).toBe(true)
  })

  it('is shortened where it is long', async () => {
    const { text } = await answerTo([user('Book it'), ...came('book', 'x'.repeat(50_000))])

    expect(text.length).toBeLessThan(9000)
    expect(text).toContain('x …\n\n')
  })

  it('is said where no exchange fits the request any more, and no tool is offered', async () => {
    const { text } = await answerTo([user('hm'), ...came('other', 'A.')], { toolChoice: { type: 'none' } })

    expect(text).toMatch(/^other returned:\n\nA\./)
  })
})

describe('any other request', () => {
  it('is told what can be tried, and which tools the script does not use', async () => {
    const by = script.slice(0, 3)
    const { calls, text } = await answerTo([user('tell me a joke')], { by: by.toSpliced(1, 1) })

    expect(calls).toEqual([])
    expect(text.split('\n\n')).toEqual([
      'That is beyond my fixed rules, and I will not guess an answer.',
      'Here is what I can do for you:\n- Ask for the weather: “What is the weather in Oslo?”\n- “What is snow?”',
      'This agent also has tools that my rules do not use, and a real model would: book.',
      expect.stringMatching(
        /^I am dragoman's built-in offline model.* set ANTHROPIC_API_KEY or OPENAI_API_KEY/,
      ),
    ])
    expect((await answerTo([user('讲个笑话')])).text).toContain('- 问天气：“奥斯陆的天气”')
  })

  it('is told of the tools that a rule uses', async () => {
    expect((await answerTo([user('hello')], { by: script.slice(3) })).text).toContain(
      '- Ask for weather.\n- Ask for book.\n\nI am',
    )
  })

  it('is answered without a script, too', async () => {
    const { calls, text } = await answerTo([asked], { by: [] })

    expect(calls).toEqual([])
    expect(text).toMatch(/^That is beyond my fixed rules[^]*: weather, book\.\n\nI am dragoman's/)
  })
})

describe('the introduction', () => {
  it('is given once a thread, in the language of the user', async () => {
    const first = await answerTo([user('hello')])
    const second = await answerTo([user('hello'), said(first.text), user('你好')])
    const chinese = await answerTo([user('你好')])

    expect(first.text).toContain("I am dragoman's built-in offline model")
    expect(first.text).toContain('ANTHROPIC_API_KEY')
    expect(chinese.text).toContain('我是 dragoman 内置的离线模型')
    expect(second.text).not.toContain('离线模型')
    expect(second.text).not.toBe('')
  })

  it('is given in the language that the system prompt asks for', async () => {
    const system: Turn = { role: 'system', content: 'You help.\nAnswer in Chinese: 用中文。' }

    expect((await answerTo([system, user('hello')])).text).toContain('我是 dragoman 内置的离线模型')
  })

  it('is not given again where the newest messages alone are told, and the first', async () => {
    const cut = [user('hello'), user('what can you do?'), said('This and that.'), user('thanks')]
    const unanswered = [user('hello'), user('hello?')]

    expect((await answerTo(cut)).text).toBe('You are welcome.')
    expect((await answerTo(unanswered)).text).toContain('offline model')
  })

  it('waits for the answer when a tool is called first', async () => {
    expect((await answerTo([asked])).text).toBe('')
    expect((await answerTo(answered)).text).toContain("I am dragoman's built-in offline model")
  })
})

describe('after a crash', () => {
  it('goes on from the last word that was said', async () => {
    const whole = (await answerTo(answered)).text

    for (let at = 0; at < whole.length; at++) {
      const { text } = await answerTo([...answered, said(whole.slice(0, at)), cutOff])
      expect(whole.slice(0, at) + text).toBe(whole)
    }
  })

  it('does not mind white space that an engine has put between what was said', async () => {
    const whole = (await answerTo([user('hello')])).text

    const { text } = await answerTo([user('hello'), said('Hello!'), said('\n\n\nHere is what '), cutOff])
    expect(`Hello!\n\nHere is what ${text}`).toBe(whole)
  })

  it('goes on from what went before a second crash, too', async () => {
    const whole = (await answerTo([user('hello')])).text
    const twice = [user('hello'), said(whole.slice(0, 10)), cutOff, said(whole.slice(10, 29)), cutOff]

    expect(whole.slice(0, 29) + (await answerTo(twice)).text).toBe(whole)
  })

  it('has nothing to add to an answer that was whole', async () => {
    const whole = (await answerTo([user('hello')])).text

    expect(await answerTo([user('hello'), said(whole), cutOff])).toEqual({ text: '', calls: [] })
  })

  it('calls again where no call has come to a result and the tool only reads', async () => {
    const interrupted: LanguageModelV4ToolResultOutput = { type: 'error-text', value: 'interrupted' }
    const lost = outcome('weather', interrupted)
    const booking = [user('Book it'), ...outcome('book', interrupted), cutOff]

    expect((await answerTo([asked, cutOff])).calls).toHaveLength(1)
    expect((await answerTo([asked, ...lost, cutOff])).calls).toHaveLength(1)
    expect((await answerTo([...answered, cutOff])).calls).toEqual([])
    expect((await answerTo(booking)).calls).toEqual([])
  })

  it('says all of its own where another model was cut off', async () => {
    const { text } = await answerTo([...answered, said('Sure! Here are'), cutOff])

    expect(text).toMatch(/^It is mild there\./)
  })
})

it('answers a user who says that something was cut off', async () => {
  const { text } = await answerTo([user('hello'), said('Hello!'), user('my internet was cut off')])

  expect(text).toContain('beyond my fixed rules')
})

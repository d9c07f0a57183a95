import { describe, expect, it } from 'vitest'

import type { AssistantMessage, Message } from '../../../events/index.ts'
import { contentDisposition } from './content-disposition.ts'
import { threadHeading, messageToMarkdown } from './thread-markdown.ts'

const AT = '2026-01-22T10:00:59.000Z'
const user = (text: string): Message => ({ role: 'user', id: 'm', parts: [{ type: 'text', text }] })
const assistant = (parts: AssistantMessage['parts'], more: Partial<AssistantMessage> = {}): Message => ({
  role: 'assistant',
  id: 'm',
  status: 'finished',
  parts,
  ...more,
})
const call = { type: 'tool', callId: 'c', tool: 'look`up', inputText: '', input: { q: '工作' } } as const

describe('a thread as Markdown', () => {
  it('escapes the title on one line', () => {
    const thread = {
      id: 'conv_1',
      userId: 'ada',
      agent: 'dice',
      createdAt: AT,
      updatedAt: AT,
      metadata: {},
      archived: false,
    }

    expect(threadHeading({ ...thread, title: '# a *b*\n<i>' })).toBe(
      '# \\# a \\*b\\* \\<i\\>\n\nAgent dice · begun 2026-01-22 10:00 UTC · last change 2026-01-22 10:00 UTC\n',
    )
  })

  it('shows the role and the time of a message', () => {
    expect(messageToMarkdown(user('你好'), AT)).toBe('\n## User · 2026-01-22 10:00 UTC\n\n你好\n')
    expect(messageToMarkdown(user('x'), 'yesterday')).toContain('## User · yesterday')
  })

  it('collapses reasoning in a fence that it cannot close', () => {
    const text = '</details>\n```\ncode\n```'
    const markdown = messageToMarkdown(assistant([{ type: 'reasoning', partId: 'p', text, open: false }]), AT)

    expect(markdown).toContain(
      `<details><summary>Reasoning</summary>\n\n\`\`\`\`\n${text}\n\`\`\`\`\n\n</details>\n`,
    )
  })

  it('shows a call with input and outcome in fences that they cannot close', () => {
    const returned = messageToMarkdown(
      assistant([{ ...call, state: 'returned', output: 1, text: 'a ````` b' }]),
      AT,
    )
    const failure = { code: 'tool-failed', message: 'No *such* thing.', retryable: false }
    const failed = messageToMarkdown(assistant([{ ...call, state: 'failed', failure }]), AT)

    expect(returned).toContain('**Tool** ``look`up``\n\n```json\n{\n  "q": "工作"\n}\n```\n\nIt returned:\n')
    expect(returned).toContain('\n``````\na ````` b\n``````\n')
    expect(failed).toContain('It failed: No \\*such\\* thing.')
  })

  it.each([
    ['```js\nlet a', '```js\nlet a\n```'],
    ['~~~~\n```\n~~~', '~~~~\n```\n~~~\n~~~~'],
    ['```\na\n```\nb', '```\na\n```\nb'],
    ['a ``` b', 'a ``` b'],
    ['``` a ``` b\n<!-- c', '``` a ``` b\n\\<!-- c'],
    ['```\n<!-- kept\n```', '```\n<!-- kept\n```'],
    ['<details>\n1 < 2', '\\<details>\n1 < 2'],
  ])('closes open markup of a message: %j', (text, expected) => {
    expect(messageToMarkdown(user(text), AT)).toBe(`\n## User · 2026-01-22 10:00 UTC\n\n${expected}\n`)
  })

  it('shows that an answer failed, was stopped or has not ended', () => {
    const failure = { code: 'internal', message: 'Gone.', retryable: true }

    expect(messageToMarkdown(assistant([], { status: 'failed', failure }), AT)).toContain(
      '*It failed:* Gone.',
    )
    expect(messageToMarkdown(assistant([], { status: 'cancelled' }), AT)).toContain('*It was stopped here.*')
    expect(messageToMarkdown(assistant([], { status: 'waiting' }), AT)).toContain('*It has not ended yet.*')
  })
})

describe('contentDisposition', () => {
  it.each([
    ['找工作 / jobs', '%E6%89%BE%E5%B7%A5%E4%BD%9C%20jobs.md'],
    ['../../etc/passwd', 'etc%20passwd.md'],
    ['a"\r\nset-cookie: b', 'a%20set-cookie%20b.md'],
    ['', 'conv_1.md'],
    ['...', 'conv_1.md'],
    ['NUL', 'conv_1.md'],
    ["it's (1)*", 'it%27s%20%281%29.md'],
    ['a\u202egnp\ud800', 'a%20gnp.md'],
  ])('makes a safe file name of %j: %s', (title, name) => {
    expect(contentDisposition(title, { id: 'conv_1', ending: 'md' })).toBe(
      `attachment; filename="conv_1.md"; filename*=UTF-8''${name}`,
    )
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { textEvents, createTestConversation, type TestConversation } from './conversation.fixture.ts'

describe('a search', () => {
  let all: TestConversation
  beforeEach(async () => {
    all = await createTestConversation()
  })
  afterEach(() => all.db.destroy())

  const found = async (query: string, userId = 'ada'): Promise<string[]> => {
    const { messages } = await all.search.find(userId, { query, limit: 10 })
    return messages.map(({ snippet }) => snippet.text)
  }

  it.each([
    ['engineer', 'A senior Engineer’s job'],
    ['engin', 'A senior Engineer’s job'],
    ['senior job', 'A senior Engineer’s job'],
    ['JOB a', 'A senior Engineer’s job'],
    ['工程师', '上海的软件工程师职位'],
    ['件工', '上海的软件工程师职位'],
    ['师', '上海的软件工程师职位'],
    ['上海 职位', '上海的软件工程师职位'],
    ['用React', '用 React 写前端'],
    ['react18', 'React18 and C++, Node.js, naïve'],
    ['c++', 'React18 and C++, Node.js, naïve'],
    ['node.js', 'React18 and C++, Node.js, naïve'],
    ['NAIVE', 'React18 and C++, Node.js, naïve'],
  ])('for %s finds “%s”', async (query, text) => {
    await all.addRun('question', text)
    await all.addRun('another', 'A seer in 工程 师 jobless, 上方的海, node and js')

    expect(await found(query)).toContain(text)
  })

  it('finds an answer once it has ended, or waits: its words are written then', async () => {
    const [started, delta, ended] = textEvents('run_1', 'A senior engineer')
    const events = [started, delta].filter((event) => event !== undefined)
    await all.startRun('Who is wanted?', events)
    expect(await found('wanted')).toEqual(['Who is wanted?'])
    expect(await found('engineer')).toEqual([])

    await all.store.append('run_1', ended ? [ended] : [])
    await all.end('run_1')
    expect(await found('engineer')).toEqual(['A senior engineer'])
    expect(await found('wanted')).toEqual(['Who is wanted?'])
  })

  it.each(['ngineer', 'job senior x', '师工', '上海的师', 'node.js', 'jsx', 'c#', '上软'])(
    'for %s does not find what is only like it',
    async (query) => {
      await all.addRun('question', 'A senior Engineer’s job 上海的软件工程师职位 node and js C++')

      expect(await found(query)).toEqual([])
    },
  )

  it.each([
    '"',
    '""',
    '"a',
    '*',
    'a* OR b',
    'NEAR(a b)',
    'a AND',
    'words:a',
    '^a',
    '-a',
    '(a',
    '{a}',
    '%',
    '_',
    "'; DROP TABLE chat_messages; --",
    '\0',
    '\ud800',
    '。，',
    '👋',
    'a'.repeat(200),
    Array.from({ length: 100 }, (_none, at) => `w${at}`).join(' '),
  ])('takes %j for words', async (query) => {
    await all.addRun('question', 'nothing of the kind')

    expect(await found(query)).toEqual([])
  })

  it('finds threads by their titles too, the user’s and those of first words', async () => {
    await all.addRun('找工作 in Shanghai', 'Yes.')
    const { thread } = await all.threads.open({ userId: 'ada', agent: 'dice' })
    await all.threads.change(thread, { title: 'Work in 100% Shanghai_x', archived: true })
    const titles = async (query: string): Promise<(string | undefined)[]> =>
      (await all.search.find('ada', { query, limit: 10 })).threads.map(({ title }) => title)

    // Both may have been changed in the same millisecond.
    expect(new Set(await titles('shang'))).toEqual(new Set(['Work in 100% Shanghai_x', '找工作 in Shanghai']))
    expect(await titles('工作')).toEqual(['找工作 in Shanghai'])
    expect(await titles('s')).toEqual([])
    expect(await titles('100 x')).toEqual(['Work in 100% Shanghai_x'])
  })

  it('gives pages, the newest first, and titles on the first alone', async () => {
    for (const n of [1, 2, 3, 4, 5]) await all.addRun(`word ${n}`, 'nothing')
    const first = await all.search.find('ada', { query: 'word', limit: 2 })
    const next = await all.search.find('ada', {
      query: 'word',
      limit: 2,
      before: first.messages.at(-1)?.messageId ?? '',
    })

    expect(first.messages.map(({ snippet }) => snippet.text)).toEqual(['word 5', 'word 4'])
    expect(first.threads).toHaveLength(1)
    expect(next).toMatchObject({
      threads: [],
      messages: [{ snippet: { text: 'word 3' } }, { snippet: { text: 'word 2' } }],
    })
  })

  it('never finds what is another’s, nor pages by it', async () => {
    const message = await all.addRun('my secret', 'a secret')

    expect(await all.search.find('bob', { query: 'secret', limit: 10 })).toEqual({
      threads: [],
      messages: [],
    })
    await expect(
      all.search.find('bob', { query: 'secret', limit: 10, before: message }),
    ).rejects.toMatchObject({ code: 'not-found' })
  })

  it('shows the place in a long message, and marks what was found', async () => {
    await all.addRun('question', `${'before '.repeat(100)}the 软件 工程师 and C++ ${'after '.repeat(100)}`)
    const { messages } = await all.search.find('ada', { query: '工程 c++', limit: 1 })
    const { text, marks } = messages[0]?.snippet ?? { text: '', marks: [] }

    expect(text).toMatch(/^…before .*软件 工程师 and C\+\+ .*…$/)
    expect(text.length).toBeLessThan(170)
    expect(marks.map(([from, to]) => text.slice(from, to))).toEqual(['工程', 'C++'])
  })
})

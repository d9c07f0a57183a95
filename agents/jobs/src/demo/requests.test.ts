import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { array, assert, asyncProperty, constantFrom, oneof, string } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../../test/support/cpu-time.ts'
import { demoModel } from '../../../../packages/dragoman/src/models/demo/index.ts'
import { demo } from './index.ts'

const tools: NonNullable<LanguageModelV4CallOptions['tools']> = [
  'jobs_search',
  'jobs_list',
  'jobs_analyze',
].map((name) => ({ type: 'function', name, inputSchema: { type: 'object' } }))

async function generate(words: string, options: Partial<LanguageModelV4CallOptions> = {}) {
  const prompt: LanguageModelV4Prompt = [
    { role: 'system', content: 'You help with jobs.' },
    { role: 'user', content: [{ type: 'text', text: words }] },
  ]
  return demoModel(demo, { pace: 0 }).doGenerate({ prompt, tools, ...options })
}

async function callsFor(words: string, options?: Partial<LanguageModelV4CallOptions>) {
  const { content } = await generate(words, options)
  return content.flatMap((part) =>
    part.type === 'tool-call' ? [{ [part.toolName]: JSON.parse(part.input) as unknown }] : [],
  )
}

async function wordsFor(words: string, kind: 'text' | 'reasoning' = 'text') {
  const { content } = await generate(words)
  return content.flatMap((part) => (part.type === kind ? [part.text] : [])).join('')
}

const sanFrancisco = '[Context: Active filters: location=San Francisco, remote=true]'

describe('a request to search', () => {
  it.each([
    [
      'Find remote software engineer jobs in San Francisco',
      { keywords: 'software engineer', location: 'San Francisco', remote: true },
    ],
    [
      'find me some data analyst openings in new york please',
      { keywords: 'data analyst', location: 'New York' },
    ],
    [
      'search for senior backend roles paying over $150k at Stripe',
      { keywords: 'senior backend Stripe', minSalary: 150_000 },
    ],
    ['find search engineer jobs', { keywords: 'search engineer' }],
    ['find .NET and C# jobs', { keywords: '.NET C#' }],
    ['show me C++ jobs in Austin, TX', { keywords: 'C++', location: 'Austin, TX' }],
    [
      "I'm looking for Node.js developer positions near Berlin",
      { keywords: 'Node.js developer', location: 'Berlin' },
    ],
    ['find jobs in rust', { keywords: 'rust' }],
    ['Find jobs in London, Python', { keywords: 'Python', location: 'London' }],
    ['Find Python jobs in Java', { keywords: 'Python Java' }],
    ['remote python jobs', { keywords: 'python', remote: true }],
    ['java roles in London, not remote', { keywords: 'java', location: 'London', remote: false }],
    [
      'any machine learning positions, at least 120,000 a year?',
      { keywords: 'machine learning', minSalary: 120_000 },
    ],
    ['show me applied scientist roles', { keywords: 'applied scientist' }],
    ['帮我搜索软件工程师职位', { keywords: '软件工程师' }],
    ['在北京找远程的前端开发工作', { keywords: '前端开发', location: '北京', remote: true }],
    ['有没有上海的产品经理岗位？', { keywords: '产品经理', location: '上海' }],
    ['帮我查找在杭州的算法岗位', { keywords: '算法', location: '杭州' }],
    ['请帮我找一下字节跳动的后端开发职位', { keywords: '字节跳动 后端开发' }],
    [
      '搜索北京的远程后端职位，年薪30万以上',
      { keywords: '后端', location: '北京', remote: true, minSalary: 300_000 },
    ],
    ['找月薪2万以上的前端工作', { keywords: '前端', minSalary: 240_000 }],
    [
      '帮我找 San Francisco 的 software engineer 工作',
      { keywords: 'software engineer', location: 'San Francisco' },
    ],
    ['我想找一份在线教育的工作', { keywords: '在线教育' }],
  ])('%s', async (words, input) => {
    expect(await callsFor(words)).toEqual([{ jobs_search: input }])
  })

  it('takes what it does not say from the filters that are set in the client', async () => {
    expect(await callsFor(`${sanFrancisco}\n帮我搜索软件工程师职位`)).toEqual([
      { jobs_search: { keywords: '软件工程师', location: 'San Francisco', remote: true } },
    ])
    expect(await callsFor(`${sanFrancisco}\nfind jobs`)).toEqual([
      { jobs_search: { location: 'San Francisco', remote: true } },
    ])
  })

  it('outweighs the filters where it says otherwise', async () => {
    expect(await callsFor(`${sanFrancisco}\nfind onsite rust jobs in Austin`)).toEqual([
      { jobs_search: { keywords: 'rust', location: 'Austin', remote: false } },
    ])
  })

  it('reads a filter with a comma in it, and none from what is not ticked or not told by the year', async () => {
    const filters = '[Context: Active filters: location=Austin, TX, salary=30k, remote=false]'

    expect(await callsFor(`${filters}\nfind rust jobs`)).toEqual([
      { jobs_search: { keywords: 'rust', location: 'Austin, TX' } },
    ])
  })

  it('has no keywords from the posting that the user is looking at', async () => {
    const viewing =
      '[Context: User is viewing a job posting]\nTitle: Chef\nCompany: Bistro\nURL: https://a.example/1'

    expect(await callsFor(`${viewing}\n\nfind rust jobs`)).toEqual([{ jobs_search: { keywords: 'rust' } }])
  })

  it('gives the keywords, even empty, to a tool that insists on them', async () => {
    const strict: typeof tools = [
      { type: 'function', name: 'jobs_search', inputSchema: { type: 'object', required: ['keywords'] } },
    ]

    expect(await callsFor('show me remote jobs', { tools: strict })).toEqual([
      { jobs_search: { keywords: '', remote: true } },
    ])
    expect(await callsFor('show me remote jobs')).toEqual([{ jobs_search: { remote: true } }])
  })

  it('is thought about in the language of the user', async () => {
    expect(await wordsFor(`${sanFrancisco}\n帮我搜索软件工程师职位`, 'reasoning')).toBe(
      '用户想要在 San Francisco 找远程软件工程师职位，我来搜索。',
    )
    expect(await wordsFor('find remote rust jobs in Berlin', 'reasoning')).toBe(
      'The user wants remote rust postings in Berlin; I will search the saved postings.',
    )
  })
})

describe('a request to list', () => {
  it.each([
    ['list my jobs', {}],
    ['how many jobs do I have', {}],
    ['show inbox', { status: 'inbox' }],
    ['applied', { status: 'applied' }],
    ['what have I applied to?', { status: 'applied' }],
    ['show me my interviews', { status: 'interviewing' }],
    ['列出我保存的职位', {}],
    ['看看我申请过的职位', { status: 'applied' }],
    ['我的收件箱里有哪些职位', { status: 'inbox' }],
    ['显示被拒的职位', { status: 'rejected' }],
  ])('%s', async (words, input) => {
    expect(await callsFor(words)).toEqual([{ jobs_list: input }])
  })
})

describe('two requests in one', () => {
  it.each([
    ['search for rust jobs and list my applied jobs', 'rust', 'applied'],
    ['搜索后端职位，并列出我申请过的职位', '后端', 'applied'],
  ])('%s', async (words, keywords, status) => {
    expect(await callsFor(words)).toEqual([{ jobs_search: { keywords } }, { jobs_list: { status } }])
  })

  it('are one where the second has no verb of its own', async () => {
    expect(await callsFor('find research and development jobs in Munich')).toEqual([
      { jobs_search: { keywords: 'research development', location: 'Munich' } },
    ])
  })

  it('make one call where they mean the same', async () => {
    expect(await callsFor('find rust jobs and search for rust jobs')).toEqual([
      { jobs_search: { keywords: 'rust' } },
    ])
  })
})

describe('any other request', () => {
  it.each([
    'hello',
    'tell me a joke',
    'analyze this job for me',
    '你好',
    '分析一下这个职位',
    '我找不到文件',
    '👍',
    '',
    '   ',
  ])('calls no tool: %j', async (words) => {
    expect(await callsFor(words)).toEqual([])
    expect(await wordsFor(words)).not.toBe('')
  })

  it('is told what can be asked for, and which tools the rules do not use', async () => {
    const english = await wordsFor('hello')
    expect(english).toContain('find remote software engineer jobs')
    expect(english).toContain('a real model would: jobs_analyze')
    expect(await wordsFor('你好')).toContain('列出我保存的职位')
  })

  it('is not promised a tool that is not offered', async () => {
    const { content } = await generate('find rust jobs', { tools: [] })

    expect(content.map((part) => part.type)).toEqual(['reasoning', 'text'])
    expect(JSON.stringify(content)).not.toContain('jobs_search')
  })

  it('calls nothing when tools are forbidden', async () => {
    expect(await callsFor('find rust jobs', { toolChoice: { type: 'none' } })).toEqual([])
  })
})

describe('words that nobody would say', () => {
  it('are answered all the same', async () => {
    const unit = oneof(
      string({ unit: 'binary' }),
      constantFrom(
        'find ',
        '找',
        '的',
        'jobs ',
        ' in ',
        '[Context: ',
        '$1k',
        '\n',
        '年薪',
        '\ud800',
        '，',
        ' and list ',
      ),
    )
    await assert(
      asyncProperty(array(unit, { maxLength: 30 }), async (all) => {
        const { content, finishReason } = await generate(all.join(''))
        expect(content.length).toBeGreaterThan(0)
        expect(['stop', 'tool-calls']).toContain(finishReason.unified)
      }),
    )
  })

  it.each(['find ', '找', ' ', 'in Aa ', '[Context: \n', '😀'])(
    'are read in no time, a 100 kB of them: %j',
    async (unit) => {
      const asked = async () => {
        const [call] = await callsFor(`find ${unit.repeat(100_000 / unit.length)}`)
        expect(JSON.stringify(call ?? {}).length).toBeLessThan(1000)
      }

      expect(await cpuMsOf(asked)).toBeLessThan(500)
    },
  )
})

import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { demoModel } from '../../../../packages/dragoman/src/models/demo/index.ts'
import { demo } from './index.ts'

const names =
  'jobs_search jobs_list jobs_prescore jobs_get_tailored_versions jobs_tailor resume_list resume_get resume_get_default'
const tools: NonNullable<LanguageModelV4CallOptions['tools']> = names
  .split(' ')
  .map((name) => ({ type: 'function', name, inputSchema: { type: 'object' } }))

async function generated(words: string) {
  const { content } = await demoModel(demo, { pace: 0 }).doGenerate({
    prompt: [{ role: 'user', content: [{ type: 'text', text: words }] }],
    tools,
  })
  return content
}

async function callsFor(words: string) {
  return (await generated(words)).flatMap((part) =>
    part.type === 'tool-call' ? [[part.toolName, JSON.parse(part.input) as unknown]] : [],
  )
}

const looking = '[Context: Discussing job ID #7]\n'

describe('without a model, the offline one', () => {
  it.each([
    ['score job 3', 'jobs_prescore', { jobId: 3 }],
    ['Does job #3 fit me?', 'jobs_prescore', { jobId: 3 }],
    ['how well does posting 12 match resume 2', 'jobs_prescore', { jobId: 12, resumeId: 2 }],
    ['给职位 3 打分', 'jobs_prescore', { jobId: 3 }],
    ['职位3适合我吗？', 'jobs_prescore', { jobId: 3 }],
    [`${looking}Is this job right for me?`, 'jobs_prescore', { jobId: 7 }],
    [`${looking}[Context: Using resume ID #4]\n这个职位适合我吗`, 'jobs_prescore', { jobId: 7, resumeId: 4 }],
    ['show the tailored versions for job 3', 'jobs_get_tailored_versions', { jobId: 3 }],
    ['看看职位 3 的定制版本', 'jobs_get_tailored_versions', { jobId: 3 }],
    ['show my statistics', 'jobs_list', { analytics: true }],
    ['how is my job search going?', 'jobs_list', { analytics: true }],
    ['which applications need a follow-up?', 'jobs_list', { analytics: true }],
    ['看看我的求职统计', 'jobs_list', { analytics: true }],
    ['哪些申请需要跟进？', 'jobs_list', { analytics: true }],
    ['list my resumes', 'resume_list', {}],
    ['列出我的简历', 'resume_list', {}],
    ['show resume 2', 'resume_get', { resumeId: 2 }],
    ['看看我的默认简历', 'resume_get_default', {}],
  ])('understands "%s"', async (words, tool, input) => {
    const language = /\p{Script=Han}/u.test(words) ? 'zh' : 'en'
    const told = tool.startsWith('resume') ? input : { ...input, language }
    expect(await callsFor(words)).toEqual([[tool, told]])
  })

  it.each([
    ['find jobs that match my skills', 'jobs_search'],
    ['list my applied jobs', 'jobs_list'],
    ['找适合前端的职位', 'jobs_search'],
  ])('takes "%s" for what it was before', async (words, tool) => {
    expect((await callsFor(words)).map(([name]) => name)).toEqual([tool])
  })

  it.each(['tailor my resume for job 3', '帮我定制简历', 'does it fit me?'])(
    'calls nothing for "%s": it needs a model, or a posting',
    async (words) => {
      expect(await callsFor(words)).toEqual([])
    },
  )
})

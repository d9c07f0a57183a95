import { beforeEach, describe, expect, it } from 'vitest'

import { gate } from '../../../../test/support/gate.ts'
import { says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import type { Tool, ToolContext, ToolResult } from 'dragoman/agents'
import type { Json } from 'dragoman/events'
import { unmeteredModel } from '../../../../packages/dragoman/src/models/unmetered-model.fixture.ts'
import { jobsModule, emptyDatabase } from '../jobs.fixture.ts'
import { answers, POSTING, putResume } from '../judging/judging.fixture.ts'
import { postings } from '../postings/postings.ts'
import type { Tables } from '../tables.ts'
import { useTool } from './use-tool.fixture.ts'

const scripted = scriptedModel()
const model = unmeteredModel(() => scripted.models.choose({ primary: '', fallback: '' }))
let tools: readonly Tool[]
let put: (title: string, description?: string) => Promise<unknown>

beforeEach(async () => {
  const db = await emptyDatabase()
  tools = jobsModule(db).agent.tools
  put = (title, description = POSTING.description) => {
    const url = new URL(`https://northwind.example/${encodeURIComponent(title)}`)
    return postings(db).create('ada', { ...POSTING, title, description, url })
  }
  await put('Backend Engineer')
  await putResume(db.withTables<Tables>())
})

const use = (name: string, input: Json, context?: Partial<ToolContext>): Promise<ToolResult> =>
  useTool(tools, name, input, context)

describe('jobs_prescore', () => {
  it('gives the reasons of a score for the posting on screen', async () => {
    const { output, text } = await use('jobs_prescore', {}, { context: { jobId: 1 } })

    expect(output).toMatchObject({ jobId: 1, resumeId: 1, score: 88, verdict: 'High' })
    expect(text.split('\n').slice(0, 4)).toEqual([
      'Quick fit: 88/100 (High) — Backend Engineer — Northwind (id 1)',
      'Check: Check that you meet what it says of work permits or visas “We cannot offer visa sponsorship.”',
      'Has: Backend Development, Go, PostgreSQL, Kubernetes',
      'Lacks: Rust',
    ])
  })

  it('answers in Chinese with language zh', async () => {
    const { text } = await use('jobs_prescore', { jobId: 1, language: 'zh' })

    expect(text).toMatch(/^快速匹配：88\/100 \(高\) — Backend Engineer/)
    expect(text).toContain('匹配：后端开发、Go、PostgreSQL、Kubernetes\n缺少：Rust')
  })

  it('says what is missing', async () => {
    await put('Bare', '')
    const { output, text } = await use('jobs_prescore', { jobId: 2 })

    expect(output).toMatchObject({ score: null })
    expect(text).toMatch(/no score.*\nThis posting has no description/)
    await expect(use('jobs_prescore', {})).rejects.toMatchObject({ code: 'invalid-request' })
  })
})

describe('jobs_analyze_single', () => {
  it('returns the analysis as data and as Markdown', async () => {
    scripted.play([answers()])
    const { output, text } = await use('jobs_analyze_single', { jobId: 1 }, { model })

    expect(output).toMatchObject({ jobId: 1, overallScore: 88, cached: false })
    expect(text).toMatch(/^# Backend Engineer — Northwind \(id 1\)\n\n## Match Score: 88\/100/)
  })

  it('says that a model is missing', async () => {
    await expect(use('jobs_analyze_single', { jobId: 1 })).rejects.toMatchObject({ code: 'model-missing' })
  })
})

describe('jobs_analyze', () => {
  it('reports each posting and the total', async () => {
    await put('Other')
    scripted.play([answers(), answers()])
    const lines: string[] = []
    const progress: ToolContext['progress'] = ({ delta }) => void lines.push(delta ?? '')
    const { output, text } = await use('jobs_analyze', {}, { model, progress })

    expect(output).toMatchObject({ processed: 2, analyzed: 2, errors: [] })
    expect(lines.toSorted()).toEqual([
      expect.stringMatching(/^1\/2 .* \(id \d\): 88\/100 \(High\)\n$/),
      expect.stringMatching(/^2\/2 .* \(id \d\): 88\/100 \(High\)\n$/),
    ])
    expect(text).toMatch(
      /^Looked at 2 postings: 2 analyzed, 0 known already, 0 failed, 0 without a description\.\n- /,
    )
  })

  it('stops at once and keeps finished analyses', async () => {
    await put('Other')
    const held = gate()
    const stop = new AbortController()
    const first = Promise.withResolvers<void>()
    scripted.play([answers(), step(says(held))])
    const running = use('jobs_analyze', {}, { model, signal: stop.signal, progress: () => first.resolve() })
    await Promise.all([first.promise, held.reached])
    stop.abort(new Error('stopped'))

    await expect(running).rejects.toThrow('stopped')
    scripted.play([answers()])
    expect(await use('jobs_analyze', {}, { model })).toMatchObject({ output: { processed: 1, analyzed: 1 } })
  })
})

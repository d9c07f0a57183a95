import { readFileSync } from 'node:fs'

import type { Kysely } from 'kysely'

import { scriptedModel, says, step, type ScriptedModel } from '../../../../test/support/scripted-model.ts'
import type { ToolContext, ToolModel, ToolResult } from 'dragoman/agents'
import type { Json } from 'dragoman/events'
import { unmeteredModel } from '../../../../packages/dragoman/src/models/unmetered-model.fixture.ts'
import { jobsModule, setUp } from '../jobs.fixture.ts'
import { putResume } from '../judging/judging.fixture.ts'
import { useTool } from '../tools/use-tool.fixture.ts'
import type { Tables } from '../tables.ts'

function sample(name: string): string {
  return readFileSync(new URL(`samples/${name}.md`, import.meta.url), 'utf8')
}

/** Two resumes. For tests. */
export const RESUME = sample('english')
export const CHINESE_RESUME = sample('chinese')

/** The resume with an honest change, and with an invented skill. */
export const HONEST = RESUME.replace(
  '- Built the checkout service in Go and Postgres, cutting p99 latency',
  '- Designed and built the checkout service in Golang and PostgreSQL, which cut p99 latency',
)
export const DISHONEST = HONEST.replace('SQL\n', 'SQL, Rust\n')

const suggestion = {
  type: 'modify',
  section: 'Experience',
  original: null,
  suggested: 'Name Go first.',
  reason: 'It is asked for.',
}

/** What a model answers that rewrites. */
export function answer(
  content: string,
  suggestions: readonly Json[] = [suggestion],
): ReturnType<typeof step> {
  return step(says(JSON.stringify({ content, suggestions: [...suggestions] })))
}

type TailorSetUp = Awaited<ReturnType<typeof setUp>> & {
  readonly model: ScriptedModel
  readonly send: (method: string, path: string, body?: unknown, user?: string) => Promise<Answer>
  readonly use: (name: string, args: Json, call?: Partial<ToolContext>) => Promise<ToolResult>
}
type Answer = { readonly status: number; readonly body: Record<string, unknown> }

/** The routes and tools, with a posting and a resume of ada's, and a model that follows a script. For tests. */
export async function setUpTailoring(script: Parameters<typeof scriptedModel>[0] = []): Promise<TailorSetUp> {
  const model = scriptedModel(script)
  const chosenModel: ToolModel = unmeteredModel(() =>
    model.models.choose({ primary: 'scripted', fallback: 'scripted' }),
  )
  const set = await setUp({ model: () => chosenModel })
  await set.call('', {
    title: 'Platform Engineer',
    company: 'Acme',
    url: 'https://acme.example/1',
    description: 'You know Go, Kafka and Rust. You build services that are still there on Monday morning.',
  })
  await addResume(set.db)
  const send = async (method: string, path: string, body?: unknown, user = 'ada'): Promise<Answer> => {
    const response = await set.app.request(`/jobs${path}`, {
      method,
      headers: { 'x-user': user },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const { tools } = jobsModule(set.db).agent
  const use: TailorSetUp['use'] = (name, input, context) => {
    calls += 1
    return useTool(tools, name, input, { model: chosenModel, idempotencyKey: `call-${calls}`, ...context })
  }
  return { ...set, model, send, use }
}

let calls = 0

/** Stores a resume, by default as the default resume. For tests. */
export async function addResume(db: Kysely<Tables>, content = RESUME, more = {}): Promise<void> {
  await putResume(db, { name: 'Ada Park', content, ...more })
}

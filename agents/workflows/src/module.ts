import { Hono } from 'hono'
import { z } from 'zod'

import {
  described,
  type Agent,
  type Capability,
  type Door,
  type Machine,
  type Operation,
} from '../../agent/index.ts'
import { difyRunner } from './dify/runner.ts'
import { readConfigured } from './configured.ts'
import { settling } from './settle.ts'

/** Workflows that are run elsewhere, each run of which is a run like any other. None where none is configured. @throws ServiceError `invalid-request` for what is configured wrongly */
export function workflows({
  sections,
  env,
  report,
}: Pick<Machine, 'sections' | 'env' | 'report'>): Capability[] {
  const configured = readConfigured(sections.workflows, env)
  if (configured.length === 0) return []
  const runners = [difyRunner(configured, { report })]
  const all = runners.flatMap((runner) =>
    runner.workflows.map(({ id, description }) => ({ runner: runner.name, workflowId: id, description })),
  )
  return [
    {
      agent: workflowsAgent,
      tools: [],
      runners,
      settleContext: settling(runners),
      routes: new Hono<Door>().get('/', described(list), (c) => c.json({ workflows: all })),
    },
  ]
}

const workflowsAgent: Agent = {
  id: 'workflows',
  name: 'Workflows',
  description: 'Runs workflows that were built elsewhere',
  instructions: '',
  engine: 'workflow',
  model: { primary: 'offline', fallback: 'offline' },
  maxSteps: 1,
  contextLines: () => [],
}

const list: Operation = {
  group: 'Workflows',
  summary: 'The workflows that may be run',
  answers: {
    200: {
      description: 'Each by the names that a run’s context gives.',
      json: z.object({
        workflows: z.array(z.object({ runner: z.string(), workflowId: z.string(), description: z.string() })),
      }),
    },
  },
}

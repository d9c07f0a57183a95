import { Hono } from 'hono'
import { z } from 'zod'

import { defineAgent, describeRoute, type AgentServices, type AppEnv, type Operation } from 'dragoman/agents'
import type { AgentModule } from 'dragoman/modules'
import { difyRunner } from './dify/dify-runner.ts'
import { readWorkflows } from './read-workflows.ts'
import type { WorkflowsSettings } from './settings.ts'
import { workflowEngine } from './workflow-engine.ts'
import { contextResolver } from './context-resolver.ts'
import { runWorkflowMessage } from './run-workflow-message.ts'

/**
 * Runs workflows of other servers as runs. Undefined if none is configured.
 * @throws ServiceError `invalid-request` for a wrong configuration
 */
export function workflows({
  settings,
  env,
  report,
}: Pick<AgentServices<WorkflowsSettings>, 'settings' | 'env' | 'report'>): AgentModule | undefined {
  const configured = readWorkflows(settings.workflows, env)
  if (configured.length === 0) return undefined
  const runner = difyRunner(configured, { report })
  const all = configured.map(({ id, description }) => ({ runner: runner.name, workflowId: id, description }))
  return {
    agent: { ...workflowsAgent, engine: workflowEngine(runner) },
    context: { resolve: contextResolver(runner) },
    routes: new Hono<AppEnv>().get('/', describeRoute(list), (c) => c.json({ workflows: all })),
    socketMessages: { run_workflow: runWorkflowMessage },
  }
}

const workflowsAgent = defineAgent({
  id: 'workflows',
  name: 'Workflows',
  description: 'Runs workflows that were built elsewhere',
  translations: { zh: { name: '工作流', description: '运行在别处搭建的工作流' } },
  instructions: '',
  model: { primary: 'offline', fallback: 'offline' },
  maxSteps: 1,
  tools: [],
})

const list: Operation = {
  group: 'Workflows',
  summary: 'The workflows that may be run',
  responses: {
    200: {
      description: 'Each by the names that a run’s context gives.',
      json: z.object({
        workflows: z.array(z.object({ runner: z.string(), workflowId: z.string(), description: z.string() })),
      }),
    },
  },
}

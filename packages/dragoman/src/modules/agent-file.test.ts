import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { testApprovalContext } from '../agents/tool.fixture.ts'
import { defineTool } from '../agents/index.ts'
import { agentFileSchema, applyAgentFile, unusedAgentFields, type AgentModule } from './index.ts'

const schema = agentFileSchema(['pi', 'default'])

function ours(...tools: string[]): AgentModule {
  return {
    agent: {
      id: 'dice',
      name: 'Jobs',
      description: 'Finds work',
      instructions: 'Find work.',
      engine: 'pi',
      model: { primary: 'sonnet', fallback: 'haiku', temperature: 0.7 },
      maxSteps: 50,
      tools: tools.map((name) =>
        defineTool({
          name,
          description: name,
          inputSchema: z.object({}),
          execute: async () => ({ output: null, text: '' }),
        }),
      ),
    },
    context: { format: () => ['[Context]'] },
  }
}

/** The file that the documents give as an example. */
const documented = {
  id: 'dice',
  name: 'Jobs Agent',
  version: '1.0.0',
  role: { description: 'Expert job hunting assistant', system_prompt: 'You are an expert.' },
  model: { primary: 'sonnet', fallback: 'haiku', temperature: 0.7, thinking: 'medium' },
  responsibilities: ['dice:*', 'resume:tailor'],
  permissions: {
    tools: { allow: ['jobs_*', 'resume_*'], deny: ['system_*', 'email_*'] },
    capabilities: ['dice'],
    can_delegate: false,
    can_access_context: true,
  },
}

describe("an agent's file", () => {
  it('replaces a name and a description in every language', () => {
    const module = ours()
    const translations = { zh: { name: '求职', description: '找工作' } }
    const agent = { ...module.agent, translations }

    const named = applyAgentFile({ ...module, agent }, schema.parse({ name: 'Ada' }))
    const described = applyAgentFile({ ...module, agent }, schema.parse({ role: { description: 'Helps' } }))

    expect(named.agent.translations).toEqual({ zh: { description: '找工作' } })
    expect(described.agent.translations).toEqual({ zh: { name: '求职' } })
  })

  it('restricts tools that the client runs like all others', () => {
    const module = ours('read', 'send', 'drop')
    const tools = module.agent.tools.map((tool) => Object.assign(tool, { client: { confirm: false } }))
    const file = schema.parse({ permissions: { tools: { deny: ['drop'], ask: ['send'] } } })

    const { agent } = applyAgentFile({ ...module, agent: { ...module.agent, tools } }, file)

    expect(agent.tools.map(({ name, client }) => [name, client])).toEqual([
      ['read', { confirm: false }],
      ['send', { confirm: true }],
    ])
  })

  it('replaces the fields of the agent one by one', () => {
    const file = schema.parse({
      name: 'Ada',
      role: { personality: 'You are curt.' },
      engine: 'default',
      model: { primary: 'openai:gpt-6-astra', thinking: 'low' },
      maxSteps: 3,
      permissions: { max_tokens_per_call: 900, can_access_context: false },
      error_handling: { max_retries: 0, retry_delay_ms: 250 },
    })

    const { agent, context } = applyAgentFile(ours(), file)

    expect(context?.format?.({})).toEqual([])
    expect(agent).toEqual({
      id: 'dice',
      name: 'Ada',
      description: 'Finds work',
      instructions: 'Find work.\n\nYou are curt.',
      engine: 'default',
      model: {
        primary: 'openai:gpt-6-astra',
        fallback: 'haiku',
        temperature: 0.7,
        thinking: 'low',
        maxOutputTokens: 900,
        retries: 0,
        retryDelayMs: 250,
      },
      maxSteps: 3,
      tools: [],
    })
  })

  it('changes nothing if it is empty', () => {
    const capability = ours('jobs_list')

    expect(applyAgentFile(capability, schema.parse({}))).toEqual(capability)
  })

  it('accepts the documented fields, and names those without effect', () => {
    const file = schema.parse({ ...documented, memory: { short_term: { retention_days: 3 } } })

    const { agent } = applyAgentFile(ours('jobs_list', 'system_exec'), file)

    expect(agent).toMatchObject({ instructions: 'You are an expert.', model: { thinking: 'medium' } })
    expect(agent.tools.map(({ name }) => name)).toEqual(['jobs_list'])
    expect(unusedAgentFields(file, agent)).toEqual([
      'version',
      'responsibilities',
      'permissions.capabilities',
      'permissions.can_delegate',
      'memory.short_term.retention_days',
    ])
  })

  it.each([
    [{}, ['jobs_list', 'jobs_search', 'system-exec']],
    [{ allow: ['jobs_*'] }, ['jobs_list', 'jobs_search']],
    [{ allow: ['*'], deny: ['jobs_s*'] }, ['jobs_list', 'system-exec']],
    [{ deny: ['*'] }, []],
    [{ allow: [] }, []],
    [{ allow: ['jobs_list'], deny: ['jobs_list'] }, []],
    [{ allow: ['jobs_l??t'] }, ['jobs_list']],
    [{ allow: ['dice', 'list', '(.+)', 'system?exec', '[a-z]*'] }, ['system-exec']],
    [{ deny: ['system.exec'] }, ['jobs_list', 'jobs_search', 'system-exec']],
  ])('allows tools by globs, and deny takes precedence: %j', (globs, allowed) => {
    const file = schema.parse({ permissions: { tools: globs } })

    const { tools } = applyAgentFile(ours('jobs_list', 'jobs_search', 'system-exec'), file).agent

    expect(tools.map(({ name }) => name)).toEqual(allowed)
  })

  it('requires an approval for the tools in ask that are allowed', () => {
    const file = schema.parse({ permissions: { tools: { ask: ['jobs_*'], deny: ['jobs_list'] } } })

    const { tools } = applyAgentFile(ours('jobs_list', 'jobs_search', 'system-exec'), file).agent

    expect(tools.map(({ name, needsApproval }) => [name, needsApproval({}, testApprovalContext)])).toEqual([
      ['jobs_search', true],
      ['system-exec', false],
    ])
  })

  it('applies to the tools of a single run', async () => {
    const file = schema.parse({ permissions: { tools: { ask: ['notes_*'], deny: ['notes_drop'] } } })
    const { tools } = ours('notes_add', 'notes_drop').agent
    const toolsFor = async () => ({ tools, notes: ['A server is away.'] })
    const request = {
      userId: 'ada',
      threadId: 'conv_test',
      context: {},
      secrets: null,
      signal: new AbortController().signal,
    }

    const found = await applyAgentFile({ ...ours(), toolsFor }, file).toolsFor?.(request)

    expect(
      found?.tools.map(({ name, needsApproval }) => [name, needsApproval({}, testApprovalContext)]),
    ).toEqual([['notes_add', true]])
    expect(found?.notes).toEqual(['A server is away.'])
  })

  it('restricts tools of a single run whose names its patterns seem to misspell', async () => {
    const file = schema.parse({
      permissions: { tools: { ask: ['notes_ad', 'notes_list'], deny: ['Notes-Drop', 'mail_*'] } },
    })
    const { tools } = ours('notes_add', 'notes_drop', 'notes_list', 'notes_send').agent
    const toolsFor = async () => ({ tools, notes: [] })
    const request = {
      userId: 'ada',
      threadId: 'conv_test',
      context: {},
      secrets: null,
      signal: new AbortController().signal,
    }

    const { tools: restricted = [] } =
      (await applyAgentFile({ ...ours(), toolsFor }, file).toolsFor?.(request)) ?? {}

    expect(
      restricted.map(({ name, needsApproval }) => [name, needsApproval({}, testApprovalContext)]),
    ).toEqual([
      ['notes_add', true],
      ['notes_list', true],
      ['notes_send', false],
    ])
  })

  it.each([
    { model: { temperature: 2.1 } },
    { model: { thinking: 'much' } },
    { model: { primary: '' } },
    { engine: 'rocket' },
    { maxSteps: 0 },
    { permissions: { tools: { allow: 'jobs_*' } } },
    { permissions: { max_tokens_per_call: 1.5 } },
    { error_handling: { fallback_strategy: 'hope' } },
    { error_handling: { max_retries: 11 } },
    { memory: { long_term: { enabled: 'yes' } } },
    { role: 'expert' },
    { note: 'mine' },
    { permission: { tools: { deny: ['*'] } } },
    { tools: { deny: ['*'] } },
    { deny: ['*'] },
    { permissions: { deny: ['*'] } },
    { permissions: { tools: { denied: ['*'] } } },
    { permissions: { tools: { Deny: ['*'] } } },
    { permissions: { tools: ['*'] } },
    { permissions: { tools: { ask: [['*']] } } },
    { permissions: { tools: { ask: { fetch_page: true } } } },
    { permissions: { tools: { ask: [''] } } },
    { permissions: { maxTokensPerCall: 5 } },
    { max_steps: 3 },
    { model: { maxSteps: 3 } },
  ])('is refused as %j', (file) => {
    expect(schema.safeParse(file).success).toBe(false)
  })
})

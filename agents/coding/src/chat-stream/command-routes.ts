import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { readJson, type HttpEnv } from 'dragoman/http'
import { parseBody } from 'dragoman/protocols'
import { group, sessionId } from './chat-stream-openapi.ts'
import type { ChatStreamOptions } from './session-workspace.ts'

const commandName = z.string('command is required').min(1, 'command is required').max(200)
const listBody = z.object({ sessionId }).meta({ examples: [{ sessionId: 'my-session' }] })
const helpBody = z
  .object({ sessionId, command: commandName.nullish() })
  .meta({ examples: [{ sessionId: 'my-session' }] })
const executeBody = z
  .object({ sessionId, command: commandName, args: z.string().nullish() })
  .meta({ examples: [{ sessionId: 'my-session', command: '/help' }] })

const command = z.object({ name: z.string(), description: z.string(), kind: z.literal('built-in') })
const success = z.literal(true)

const HELP = { name: 'help', description: 'Lists the slash commands', kind: 'built-in' } as const
const COMMANDS = { success: true, commands: [HELP], total: 1 } as const

const list: Operation = {
  group,
  summary: 'List the slash commands',
  description: 'Those of a command line are files and settings there: here is /help alone.',
  body: listBody,
  responses: {
    200: {
      description: 'The commands.',
      json: z.object({ success, commands: z.array(command), total: z.int() }),
    },
  },
  errors: ['not-found'],
}
const help: Operation = {
  group,
  summary: 'Explain the slash commands',
  body: helpBody,
  responses: {
    200: {
      description: 'All commands, or the one that is named.',
      json: z.object({
        success,
        command: command.optional(),
        commands: z.array(command).optional(),
        total: z.int().optional(),
      }),
    },
  },
  errors: ['not-found'],
}
const execute: Operation = {
  group,
  summary: 'Run a slash command',
  body: executeBody,
  responses: {
    200: {
      description: 'What it says.',
      json: z.object({ success, command: z.string(), output: z.string() }),
    },
  },
  errors: ['not-found'],
}

/** The slash commands that clients of the original server list. */
export function commandRoutes({ agent, threads }: ChatStreamOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .post('/commands/list', describeRoute(list), async (c) => {
      const body = parseBody(listBody, await readJson(c))
      await threads.get(c.get('userId'), body.sessionId, agent)
      return c.json(COMMANDS)
    })
    .post('/commands/help', describeRoute(help), async (c) => {
      const body = parseBody(helpBody, await readJson(c))
      await threads.get(c.get('userId'), body.sessionId, agent)
      if (!body.command) return c.json(COMMANDS)
      requireHelp(body.command)
      return c.json({ success: true, command: HELP })
    })
    .post('/commands/execute', describeRoute(execute), async (c) => {
      const body = parseBody(executeBody, await readJson(c))
      await threads.get(c.get('userId'), body.sessionId, agent)
      requireHelp(body.command)
      return c.json({ success: true, command: HELP.name, output: `/${HELP.name}: ${HELP.description}` })
    })
}

function requireHelp(name: string): void {
  const plain = name.replace(/^\//, '')
  if (plain !== HELP.name) throw new ServiceError('not-found', `Command not found: /${plain}`)
}

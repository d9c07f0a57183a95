import { homedir } from 'node:os'
import { resolve } from 'node:path'

import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { isServiceError, ServiceError } from 'dragoman/errors'
import type { Workspaces } from '../workspace/workspaces.ts'

const group = 'Agent chat'

const validateDir: Operation = {
  group,
  summary: 'Ask whether a folder can be worked in',
  description:
    'Links are followed. It can where it is a folder that is served: the owner says which with --root.',
  query: z.object({
    path: z
      .string('path is required')
      .min(1, 'path is required')
      .describe('Absolute, or relative to the home folder, as ~/project.')
      .meta({ examples: ['~/project'] }),
  }),
  responses: {
    200: {
      description: 'Whether it can, and under which path or why not.',
      json: z.object({
        valid: z.boolean(),
        resolvedPath: z.string().optional(),
        error: z.string().optional(),
      }),
      examples: { valid: { valid: true, resolvedPath: '/home/me/project' } },
    },
  },
}

const homeDir: Operation = {
  group,
  summary: 'Show the home folder',
  description: 'Of the user as whom the server runs: what relative paths of folders are relative to.',
  responses: { 200: { description: 'Its path.', json: z.object({ homeDir: z.string() }) } },
}

/** What is asked before a folder is chosen. */
export function folderRoutes(workspaces: Workspaces): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/validate-dir', describeRoute(validateDir), async (c) => {
      const path = c.req.query('path')
      if (!path) throw new ServiceError('invalid-request', 'path is required')
      return c.json(await validateFolder(workspaces, path))
    })
    .get('/home-dir', describeRoute(homeDir), (c) => c.json({ homeDir: homedir() }))
}

async function validateFolder(
  workspaces: Workspaces,
  path: string,
): Promise<{ valid: boolean; resolvedPath?: string; error?: string }> {
  const absolute = resolve(homedir(), path.replace(/^~(?=\/|\\|$)/, '.'))
  try {
    const { root } = await workspaces.open({ workspaceRoot: absolute })
    return { valid: true, resolvedPath: root }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { valid: false, error: MESSAGES[error.code] ?? error.message }
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  'invalid-request': 'This is no folder on this machine.',
  forbidden: "This folder is not served. The server's owner can allow it with --root.",
}

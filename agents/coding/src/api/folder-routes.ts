import { homedir } from 'node:os'
import { basename, isAbsolute, resolve } from 'node:path'

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
      .describe(
        'Absolute, relative to a served root or to the home folder, as ~/project, or the name of a served root.',
      )
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
  summary: 'Show the folder to begin with',
  description:
    'The first served root. Without one, the home folder of the user as whom the server runs, which the owner of the ' +
    'server alone may see.',
  responses: { 200: { description: 'Its path.', json: z.object({ homeDir: z.string() }) } },
  errors: ['forbidden'],
}

/** What is asked before a folder is chosen. */
export function folderRoutes(workspaces: Workspaces): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/validate-dir', describeRoute(validateDir), async (c) => {
      const path = c.req.query('path')
      if (!path) throw new ServiceError('invalid-request', 'path is required')
      return c.json(await validateFolder(workspaces, path))
    })
    .get('/home-dir', describeRoute(homeDir), async (c) => {
      const [first] = await servedRoots(workspaces)
      if (first !== undefined) return c.json({ homeDir: first })
      // Only the owner learns more than that no folder is served.
      if (!c.get('isOwner')) await workspaces.open({})
      return c.json({ homeDir: homedir() })
    })
}

/** Those that are there, as real paths. */
async function servedRoots({ roots, open }: Workspaces): Promise<readonly string[]> {
  const found = await Promise.all(
    roots.map((workspaceRoot) =>
      open({ workspaceRoot }).then(
        ({ root }) => root,
        () => undefined,
      ),
    ),
  )
  return [...new Set(found)].filter((root) => root !== undefined)
}

async function validateFolder(
  workspaces: Workspaces,
  path: string,
): Promise<{ valid: boolean; resolvedPath?: string; error?: string }> {
  const roots = await servedRoots(workspaces)
  let reason: string | undefined
  for (const workspaceRoot of candidates(path, roots)) {
    try {
      const { root } = await workspaces.open({ workspaceRoot })
      return { valid: true, resolvedPath: root }
    } catch (error) {
      if (!isServiceError(error)) throw error
      reason ??= sentenceOf(error, roots)
    }
  }
  return { valid: false, error: reason ?? 'This is no folder on this machine.' }
}

/** A browser tells no more of a folder than its name: it is looked for in the served roots and among them, too. */
function candidates(path: string, roots: readonly string[]): readonly string[] {
  if (isAbsolute(path)) return [path]
  const inHome = resolve(homedir(), path.replace(/^~(?=\/|\\|$)/, '.'))
  if (path.startsWith('~')) return [inHome]
  const named = roots.filter((root) => basename(root) === path)
  return [inHome, ...roots.map((root) => resolve(root, path)), ...named]
}

function sentenceOf({ code, message }: ServiceError, roots: readonly string[]): string {
  if (code === 'invalid-request') return 'This is no folder on this machine.'
  if (code !== 'forbidden') return message
  return `This folder is not served. Served: ${roots.join(', ')}. The server's owner can allow others with --root.`
}

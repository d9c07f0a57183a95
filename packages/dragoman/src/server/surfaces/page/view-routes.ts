import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

import type { HttpEnv } from '../../http/index.ts'
import { IMMUTABLE } from './cache.ts'

const HASH_LENGTH = 12

/** `View` of `modules/`, which imports this folder. */
type AgentView = { readonly kind: 'card' | 'welcome' | 'page' | 'panel'; readonly module: URL } & ViewDetails
type ViewDetails = {
  readonly tools?: readonly string[]
  readonly isLive?: true
  readonly title?: { readonly en: string; readonly [language: string]: string }
}

/** A view, as the console loads it. */
export type OfferedView = ViewDetails & { readonly kind: AgentView['kind']; readonly module: string }

/** The views of an agent with their addresses. An address changes with the content of its module. */
export function offerViews(agent: string, views: readonly AgentView[] = []): OfferedView[] {
  return views.map(({ module, ...view }) => {
    const path = fileURLToPath(module)
    const version = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, HASH_LENGTH)
    return { ...view, module: `${viewPath(agent)}${basename(path)}?v=${version}` }
  })
}

/** Serves the browser modules of an agent's views. */
export function viewRoutes(agent: string, views: readonly AgentView[] = []): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  for (const folder of new Set(views.map(({ module }) => dirname(fileURLToPath(module)))))
    app.use(
      `${viewPath(agent)}*`,
      serveStatic({
        root: folder,
        rewriteRequestPath: (path) => path.slice(viewPath(agent).length - 1),
        precompressed: true,
        onFound: (_path, c) => c.header('cache-control', IMMUTABLE),
      }),
    )
  return app
}

function viewPath(agent: string): string {
  return `/console/views/${agent}/`
}

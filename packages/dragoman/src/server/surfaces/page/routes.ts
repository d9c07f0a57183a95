import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type Context } from 'hono'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import type { HttpEnv } from '../../http/index.ts'
import { IMMUTABLE } from './cache.ts'

const PAGE_PATH = '/console/'
/** The page's own files. Its other paths belong to its router. */
const ASSETS_PATH = `${PAGE_PATH}assets/`
/** No path of the page's router has more folders. */
const MAX_DEPTH = 16
/** The icon and the manifest keep their names. */
const HASHED_NAME = /-[\w-]{8}\.\w+(?:\.gz)?$/
/** Files of agents, which have routes of their own. */
const VIEWS_PATH = `${PAGE_PATH}views/`

const INDEX_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  // A new version has other file names.
  'cache-control': 'no-cache',
}

/**
 * The pages among the assets show what a model has written, in a frame of the page. It runs there without an origin,
 * and loads nothing from a server. No browser knows the directive for WebRTC yet: see `NO_CONNECTIONS`.
 */
const SANDBOX_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  "frame-src 'none'",
  "child-src 'none'",
  "webrtc 'block'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/**
 * No connection to any address, also by WebRTC and to connect early, for the page and for frames without an address in
 * it, which no policy above keeps from running scripts. Browsers other than Chromium do not know it: there such a frame
 * can still send packets by WebRTC, with no more in them than the shown text and the address of the reader.
 */
const NO_CONNECTIONS = '()'

const showPage: Operation = {
  group: 'Server',
  summary: 'The console, or the list of all routes if the server has no console',
  responses: { 200: { description: 'The page.', contentType: 'text/html' } },
}

/** Serves a built page: `index.html` at `/` and at every path of its router, and the files of `assets/`. */
export function pageRoutes(folder: string | undefined): Hono<HttpEnv> {
  if (folder === undefined)
    return new Hono<HttpEnv>().get('/', describeRoute(showPage), (c) => c.redirect(`${rootOf(c)}docs`))
  const path = join(folder, 'index.html')
  // A missing page must not wait for its first reader.
  readFileSync(path)
  const sendIndex = async (c: Context<HttpEnv>): Promise<Response> => {
    if (depthOf(c) > MAX_DEPTH) return c.notFound()
    // Read for each request: a build may have given its files other names meanwhile.
    const html = await readFile(path, 'utf8')
    const index = html.replaceAll('"./assets/', `"${rootOf(c)}${ASSETS_PATH.slice(1)}`)
    return c.body(index, 200, { ...INDEX_HEADERS, 'content-security-policy': contentSecurityPolicy(index) })
  }
  const sendAsset = serveStatic<HttpEnv>({
    root: folder,
    rewriteRequestPath: (address) => address.slice('/console'.length),
    precompressed: true,
    onFound: (file, c) => {
      c.header('cache-control', HASHED_NAME.test(file) ? IMMUTABLE : 'no-cache')
      if (!file.endsWith('.html')) return
      c.header('content-security-policy', SANDBOX_POLICY)
      c.header('connection-allowlist', NO_CONNECTIONS)
    },
  })
  return new Hono<HttpEnv>()
    .get('/', describeRoute(showPage), sendIndex)
    .use(`${PAGE_PATH}*`, async (c, next) => {
      if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next()
      if (c.req.path.startsWith(ASSETS_PATH)) return sendAsset(c, next)
      return c.req.path.startsWith(VIEWS_PATH) ? next() : sendIndex(c)
    })
}

/**
 * The address of the server's root, with its last slash, relative to the path of a request: a proxy may pass on a path
 * of its own without that path.
 */
function rootOf(c: Context<HttpEnv>): string {
  const basePath = c.get('basePath')
  return basePath === '' ? '../'.repeat(depthOf(c)) || './' : `${basePath}/`
}

/** With the last slash, which the path of a route has not. */
function depthOf(c: Context): number {
  return new URL(c.req.url).pathname.split('/').length - 2
}

function inlineScripts(html: string): string[] {
  return html.split('<script').flatMap((part, index) => {
    const start = part.indexOf('>') + 1
    const end = part.indexOf('</script>', start)
    return index === 0 || end < 0 || /\ssrc=/.test(part.slice(0, start)) ? [] : [part.slice(start, end)]
  })
}

/** Nothing comes from another server, nothing is sent to one, and only the page's own scripts run. */
function contentSecurityPolicy(html: string): string {
  const inline = inlineScripts(html).map(
    (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...inline].join(' ')}`,
    // Libraries for menus and dialogs add styles of their own.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    // A frame cannot be led to another server either.
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

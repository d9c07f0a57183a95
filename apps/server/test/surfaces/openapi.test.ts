import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Server, Json } from '../../../../packages/dragoman/src/index.ts'
import { openServer } from '../../src/main.ts'
import {
  addressOf,
  examplesOf,
  operationsOf,
  validator,
  type Document,
} from '../../../../test/support/api-document.ts'
import { client } from '../../../../test/support/http.ts'

/** Addresses of examples that name what this server does not have. */
const NOWHERE =
  /\/(?:answers|feedback|guest\/claim|(?:changes\/file|agent-file)\?.*|(?:sessions|files)\/\w+_[\w-]+|cpk-[a-z-]+)$/

/** A stream without an end. */
const ENDLESS = '/v1/events'

describe('the OpenAPI document', () => {
  let home: string
  let dragoman: Server
  let document: Document
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    await mkdir(join(home, 'work'))
    const args = ['--home', home, '--log-level', 'silent', '--root', join(home, 'work'), '--metrics']
    dragoman = await openServer(args, { DRAGOMAN_OFFLINE_PACE: '0' })
    document = (await (await client(dragoman).get('/openapi.json')).json()) as Document
  })
  afterAll(async () => {
    await dragoman.close()
    await rm(home, { recursive: true })
  })

  const operations = () => operationsOf(document)

  it('describes every route', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(operations().length).toBeGreaterThan(20)
    expect(operations().filter(({ summary }) => summary === 'Not described')).toEqual([])
  })

  it('has exactly the methods that the server answers', async () => {
    const paths = new Set(operations().map(({ verb, path }) => `${verb} ${path}`))
    const addresses = Object.keys(document.paths)
    for (const path of addresses) {
      for (const verb of ['get', 'post', 'put', 'patch', 'delete']) {
        const address = path.replace(/\{\w+\}/g, 'x')
        // What one path does not answer another may, as /jobs/{id} does for /jobs/ingest.
        const isKnown = addresses.some(
          (each) =>
            paths.has(`${verb} ${each}`) &&
            new RegExp(`^${each.replace(/\{\w+\}/g, '[^/]+')}$`).test(address),
        )
        const response = await client(dragoman).send(verb.toUpperCase(), address)
        await response.body?.cancel()
        expect({ verb, address, isKnown: response.status !== 405 }).toEqual({ verb, address, isKnown })
        const allowed = response.headers.get('allow')?.toLowerCase().split(', ') ?? []
        expect(allowed.includes(verb)).toBe(false)
      }
    }
  })

  it('is consistent', () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, verb, parameters, responses, requestBody } of operations()) {
      const holes = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name)
      const named = parameters.filter((each) => each.in === 'path')
      expect({ path, verb, named: named.map(({ name }) => name) }).toEqual({ path, verb, named: holes })
      expect(named.every(({ required }) => required)).toBe(true)
      expect(Object.keys(responses).filter((status) => !/^([2-5]\d\d|default)$/.test(status))).toEqual([])
      expect(Object.values(responses).every(({ description }) => description !== '')).toBe(true)
      if (verb === 'get' || verb === 'delete') expect(requestBody).toBeUndefined()
    }
    const references = Array.from(JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g), ([, to]) => to)
    const shapes = new Set(
      Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`),
    )
    expect(references.filter((to) => !shapes.has(to ?? ''))).toEqual([])
  })

  it('has valid JSON schemas', () => {
    for (const name of Object.keys(document.components.schemas))
      expect(() => validator(document, { $ref: `#/components/schemas/${name}` })).not.toThrow()
  })

  it('has working examples with the described answers', async () => {
    // What shows or ends a thing comes after what makes it, and what ends all of them after what ends one.
    const order = ({ path, verb }: { path: string; verb: string }): number => {
      if (verb === 'delete' || path.endsWith('/delete')) return path.includes('{') ? 3 : 4
      return path.endsWith('/stop') ? 2 : verb === 'post' ? 0 : 1
    }
    // The folder of the examples is the one that is served here.
    const served = (example: Json | undefined): Json | undefined =>
      example &&
      (JSON.parse(JSON.stringify(example).replaceAll('/home/me/project', join(home, 'work'))) as Json)
    let run = ''
    let memory = ''
    await client(dragoman).post('/jobs', {
      title: 'Engineer',
      company: 'Acme',
      url: 'https://acme.example/1',
      description: 'You know Go.',
    })
    await client(dragoman).post('/jobs/resumes', { content: '# Ada\n\n## Skills\n- Go' })
    const sorted = operations().toSorted((a, b) => order(a) - order(b))
    for (const operation of sorted) {
      const body = operation.requestBody?.content['application/json']?.schema
      const bodies = body ? examplesOf(document, body) : [undefined]
      expect({ of: operation.operationId, examples: bodies.length > 0 }).toMatchObject({ examples: true })
      for (const example of bodies) {
        const address = addressOf(operation)
          .replace('run_MiZkvf-HTV_F', run)
          .replace('mem_V1StGXR8_Z5j', memory)
          .replace(encodeURIComponent('/home/me/project'), encodeURIComponent(join(home, 'work')))
        const response = await client(dragoman).send(operation.verb.toUpperCase(), address, served(example))
        run = response.headers.get('x-run-id') ?? run
        const text = address === ENDLESS ? await beginningOf(response) : await response.text()
        memory = /"id":"(mem_[^"]+)"/.exec(text)?.[1] ?? memory
        const documented = operation.responses[response.status]
        // Nothing is asked or changed here, and no model judges; that each route of the jobs gives what it says is
        // seen in jobs/answers.test.ts.
        const isLacking = address.startsWith('/jobs/') && [404, 503].includes(response.status)
        const isOfMcp = address.startsWith('/v1/mcp/servers/')
        const isNowhere = response.status === 404 && (isOfMcp || NOWHERE.test(address))
        const isUnknownToken = response.status === 401 && address === '/auth/sign-in'
        const isUnknownSignIn = response.status === 400 && address === '/v1/mcp/sign-ins'
        const isWithoutGuests = response.status === 403 && address === '/auth/guest'
        // A form with a file is sent in uploads.test.ts.
        const isWithoutFile = response.status === 400 && operation.requestBody?.content['multipart/form-data']
        const isFine =
          response.ok ||
          isLacking ||
          isNowhere ||
          isUnknownToken ||
          isUnknownSignIn ||
          isWithoutGuests ||
          isWithoutFile
        expect({ address, text, isSaid: documented !== undefined && Boolean(isFine) }).toMatchObject({
          isSaid: true,
        })
        const type = response.headers.get('content-type')?.replace(/;.*/, '') ?? ''
        const schema = documented?.content?.[type]?.schema
        if (type === 'application/json') {
          expect({ address, isShown: schema !== undefined }).toEqual({ address, isShown: true })
          expect(validator(document, schema ?? {}).safeParse(JSON.parse(text)).error).toBeUndefined()
        }
        if (type === 'text/event-stream') expect(schema).toEqual({ type: 'string' })
      }
    }
  })

  it('has a page without scripts and external resources', async () => {
    const response = await client(dragoman).get('/docs')
    const page = await response.text()
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? []
    const hash = createHash('sha256').update(style).digest('base64')

    expect(response.headers.get('content-security-policy')).toContain(
      `default-src 'none'; connect-src 'self'; style-src 'sha256-${hash}'`,
    )
    expect(page).not.toMatch(/<script|<link|<img|style=| on\w+=/)
    for (const { path, operationId } of operations()) {
      expect(page).toContain(`<code>${path}</code>`)
      expect(page).toContain(`id="${operationId}"`)
    }
    const targets = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, to]) => to)
    expect(targets.filter((to) => !page.includes(`id="${to}"`))).toEqual([])
  })
})

async function beginningOf(response: Response): Promise<string> {
  for await (const chunk of response.body ?? []) return Buffer.from(chunk).toString()
  return ''
}

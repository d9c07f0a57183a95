import { describe, expect, it } from 'vitest'

import { findCircle } from './support/import-circles.ts'
import { complaints, IS_TEST, SOURCES } from './support/import-rules.ts'
import { protocolComplaints, protocolsIn } from './support/protocol-names.ts'

const CORE = 'packages/dragoman/src'

describe('the import rules', () => {
  it('hold for all sources', () => {
    expect([...SOURCES.keys()]).toContain(`${CORE}/events/index.ts`)
    expect([...SOURCES].flatMap(([path, source]) => complaints(path, source))).toEqual([])
  })

  it('allow no circular import, types included', () => {
    expect(findCircle(SOURCES)).toBeUndefined()
  })

  it('find a circular import through a package', () => {
    const sources = new Map([
      [`${CORE}/events/index.ts`, `import type { A } from './a.ts'`],
      [`${CORE}/events/a.ts`, `export type { B } from 'dragoman/events'`],
    ])

    expect(findCircle(sources)).toEqual([
      `${CORE}/events/index.ts`,
      `${CORE}/events/a.ts`,
      `${CORE}/events/index.ts`,
    ])
  })

  it.each([
    ['packages/dragoman/src/index.ts', `import { piEngine } from '@dragoman/pi'`, 'imports @dragoman/pi'],
    ['agents/life/src/index.ts', `import { jobs } from '@dragoman/jobs'`, 'imports @dragoman/jobs'],
    [
      'agents/life/src/a.ts',
      `import { b } from '../../jobs/src/b.ts'`,
      'leaves its package: ../../jobs/src/b.ts',
    ],
    ['packages/client/src/a.ts', `import { Hono } from 'hono'`, 'imports hono'],
    ['packages/client/src/a.ts', `import { runs } from 'dragoman/runs'`, 'imports dragoman/runs'],
    [`${CORE}/engine/a.ts`, `import { openLog } from '../log/index.ts'`, 'imports log'],
    [
      `${CORE}/engine/engine.ts`,
      `import { models } from '../models/index.ts'`,
      'imports ../models/index.ts not only as a type',
    ],
    [
      `${CORE}/runs/runs.ts`,
      `import type { Store } from '../log/store.ts'`,
      'reaches past the index of log: packages/dragoman/src/log/store.ts',
    ],
    [`${CORE}/runs/runs.ts`, `const driver = await import('../stores/memory/index.ts')`, 'imports stores'],
    [`${CORE}/server/http/app.ts`, `import { mountRoutes } from '../routes.ts'`, 'imports server'],
    [
      `${CORE}/log/store.ts`,
      `import { storeContract } from './store.contract.ts'`,
      'imports the test suite packages/dragoman/src/log/store.contract.ts',
    ],
    [`${CORE}/events/json.ts`, `import { isDeepStrictEqual } from 'node:util'`, 'imports node:util'],
    [`${CORE}/protocols/native/a.ts`, 'const at = new Date().toISOString()', 'contains new Date()'],
    [`${CORE}/agents/a.ts`, `import { Hono } from 'hono'`, 'imports hono not only as a type'],
    [`${CORE}/server/routes.ts`, `app.route('/jobs', routes)`, 'names an agent: /jobs'],
    [
      `${CORE}/server/routes.ts`,
      `import { lifeSurfaces, codingSurfaces } from './surfaces.ts'`,
      'names an agent: codingSurfaces',
    ],
    [`${CORE}/runs/helpers.ts`, '', 'is named for no thing'],
    [`${CORE}/sessions/index.ts`, '', 'has no row in the table'],
    [`${CORE}/log/run-log.ts`, '\n'.repeat(250) + 'end', 'is longer than 250 lines'],
  ])('forbid %s: %s', (path, source, complaint) => {
    expect(complaints(path, source)).toEqual([`${path} ${complaint}`])
  })

  it.each([
    [`${CORE}/agents/agent.ts`, `import type { Hono } from 'hono'`],
    ['packages/client/src/ui-message-stream-reader.ts', `import type { LogEntry } from 'dragoman/events'`],
    ['agents/jobs/src/module.ts', `import { oneLine } from '@dragoman/agent-kit/text/to-single-line'`],
    [`${CORE}/protocols/native/a.ts`, 'const at = new Date(entry.at).toISOString()'],
    [`${CORE}/runs/runner.test.ts`, `import { memoryStore } from '../stores/memory/store.ts'`],
  ])('allow %s: %s', (path, source) => {
    expect(complaints(path, source)).toEqual([])
  })
})

describe('the names of protocols', () => {
  const own = `export const ownWords: Protocol = {\n  ...native,\n  name: 'own-words',\n}`
  const declared = protocolsIn(new Map([...SOURCES, ['agents/own/src/protocols/own/index.ts', own]]))

  it('are compared only where the protocol is', () => {
    expect(declared.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['ui-message-stream', 'data-stream', 'native', 'own-words']),
    )
    expect([...SOURCES].flatMap(([path, source]) => protocolComplaints(path, source, declared))).toEqual([])
  })

  it.each([
    `if (protocol.name === 'own-words') return 204`,
    `const isV4 = namedProtocol(c, protocols) === dataStream`,
    `if (protocol.name === uiMessageStream.name) return 204`,
    `if ('own-words' === name) return 'reject'`,
    `switch (name) { case 'native': return 0 }`,
    `const WITH_CURSORS: ReadonlySet<string> = new Set(['mine', 'data-stream'])`,
  ])('are found in: %s', (source) => {
    expect(protocolComplaints(`${CORE}/server/surfaces/a.ts`, source, declared)).toHaveLength(1)
  })

  it.each([
    [
      `${CORE}/server/surfaces/a.ts`,
      `const standard = protocols.get(uiMessageStream.name) ?? uiMessageStream`,
    ],
    [`${CORE}/server/delegate.ts`, `const reply = { protocol: native.name, view: {} }`],
    [`${CORE}/protocols/native/parse.ts`, `if (name === 'native') return 0`],
    ['agents/own/src/a.ts', `if (name === 'own-words') return 0`],
  ])('may stand in %s: %s', (path, source) => {
    expect(protocolComplaints(path, source, declared)).toEqual([])
  })
})

it('starts a run of a surface in one place, where the guards are', () => {
  const callers = [...SOURCES].filter(
    ([path, source]) => !IS_TEST.test(path) && /\bruns\.start\(/.test(source),
  )

  expect(callers.map(([path]) => path)).toEqual([`${CORE}/server/surfaces/start-run.ts`])
})

import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parser } from '@prometheus-io/lezer-promql'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

import {
  createServer,
  defineAgent,
  defineTool,
  readConfig,
  type Server,
} from '../packages/dragoman/src/index.ts'
import { openPostgres, type PostgresStorage } from '../packages/postgres/src/index.ts'
import { createTestDatabase, hasServer } from '../packages/postgres/src/postgres.fixture.ts'
import { telemetry } from '../packages/telemetry/src/index.ts'
import { calls, says, scriptedModel, step } from './support/scripted-model.ts'

type Family = { readonly name: string; readonly type: string; readonly help: string; readonly unit?: string }

/** The metrics of a text in the format of Prometheus, with the names of their samples. */
function readFamilies(text: string): {
  readonly families: readonly Family[]
  readonly samples: readonly string[]
} {
  const comments = (word: string): ReadonlyMap<string, string> =>
    new Map(
      [...text.matchAll(new RegExp(`^# ${word} (\\S+) (.*)$`, 'gm'))].map(([, name = '', rest = '']) => [
        name,
        rest,
      ]),
    )
  const [help, units] = [comments('HELP'), comments('UNIT')]
  const familyOf = (name: string, type: string): Family => {
    const unit = units.get(name)
    return { name, type, help: help.get(name) ?? '', ...(unit !== undefined && { unit }) }
  }
  const families = [...comments('TYPE')].map(([name, type]) => familyOf(name, type))
  return { families, samples: [...text.matchAll(/^([a-z_][\w:]*)[{ ]/gim)].map(([, name = '']) => name) }
}

/** The metrics that an expression reads. @throws Error if it is no PromQL */
function metricsIn(expression: string): string[] {
  const names: string[] = []
  parser.parse(expression).iterate({
    enter({ type, name, from, to, node }) {
      if (type.isError) throw new Error(`This is no PromQL: ${expression}`)
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector')
        names.push(expression.slice(from, to))
    },
  })
  return names
}

/** What Grafana puts in. */
const withoutVariables = (expression: string): string =>
  expression.replaceAll('$__rate_interval', '5m').replace(/^label_values\((.*), \w+\)$/, '$1')

type Panel = { readonly targets?: readonly { readonly expr: string }[] }
type Dashboard = {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly definition?: string }[] }
}
type Rules = {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string
      readonly expr: string
      readonly annotations: { readonly summary: string; readonly description: string }
    }[]
  }[]
}

const fileOf = (path: string): string => readFileSync(new URL(`../deploy/${path}`, import.meta.url), 'utf8')
const dashboard = JSON.parse(fileOf('grafana/dragoman.json')) as Dashboard
const rules = (parse(fileOf('prometheus/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules)
const expressions = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.flatMap(({ definition }) => definition ?? []),
  ...rules.map(({ expr }) => expr),
].map(withoutVariables)

describe.runIf(hasServer)('the metrics of a node', () => {
  let storage: PostgresStorage
  let server: Server
  let drop: () => Promise<void>
  let home: string
  let scraped: ReturnType<typeof readFamilies>
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    const database = await createTestDatabase()
    drop = database.drop
    storage = await openPostgres(database.url)
    const shared = {
      description: 'Works.',
      inputSchema: z.object({ word: z.string() }),
      execute: () => 'Done.',
    }
    const look = defineTool({ ...shared, name: 'look' })
    const pay = defineTool({ ...shared, name: 'pay', needsApproval: true })
    const agent = defineAgent({ id: 'dice', instructions: 'Look.', tools: [look, pay] })
    const { models } = scriptedModel([
      step(calls('c1', 'look', { word: 'a' })),
      step(says('Done.')),
      step(calls('c2', 'pay', { word: 'a' })),
    ])
    const config = readConfig(['--home', home, '--metrics', '--log-level', 'silent'], {})
    server = await createServer({ ...storage, agents: [agent], models, plugins: [telemetry()], config })
    const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
      server.fetch(
        new Request(`http://127.0.0.1${path}`, { headers: { 'content-type': 'application/json' }, ...init }),
      )
    const send = (message: string): Promise<Response> =>
      ask('/dice/chat', { method: 'POST', body: JSON.stringify({ message }) })
    await (await send('Look.')).text()
    await (await send('Pay.')).body?.cancel()
    const scrape = async () => readFamilies(await (await ask('/metrics')).text())
    const late = ['dragoman_runs_ended_total', 'dragoman_runs_suspended_total', 'dragoman_notice_lag_seconds']
    await vi.waitFor(async () => expect((await scrape()).samples).toEqual(expect.arrayContaining(late)), {
      timeout: 10_000,
    })
    scraped = await scrape()
  }, 60_000)
  afterAll(async () => {
    await server.close()
    await storage.close()
    await drop()
    await rm(home, { recursive: true })
  })

  it('have conventional names, a type, a help and their unit', () => {
    expect(scraped.families.length).toBeGreaterThan(30)
    for (const { name, type, help, unit } of scraped.families) {
      expect(name).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/)
      expect(['counter', 'gauge', 'histogram'], name).toContain(type)
      expect(help, name).toMatch(/^[A-Z].{10}/)
      expect(help, name).not.toContain('missing')
      expect(name.endsWith('_total'), name).toBe(type === 'counter')
      const suffix = /_(seconds|bytes|milliseconds|ms|kilobytes|percent)$/.exec(
        name.replace(/_total$/, ''),
      )?.[1]
      expect(suffix, name).toBe(unit)
      const inHelp = /\b(seconds|bytes)\b/i.exec(help)?.[1]?.toLowerCase()
      expect(suffix, `${name}: ${help}`).toBe(inHelp)
    }
    const names = new Set(scraped.families.map(({ name }) => name))
    const strangers = scraped.samples.filter(
      (name) => !names.has(name.replace(/_(bucket|sum|count)$/, '')) && !names.has(name),
    )
    expect(strangers).toEqual([])
  })

  it('are all that the dashboard and the alerts ask for', () => {
    const names = new Set(['up', ...scraped.samples])
    const metrics = new Set(expressions.flatMap(metricsIn))

    expect(metrics.size).toBeGreaterThan(25)
    expect([...metrics].filter((name) => !names.has(name))).toEqual([])
  })
})

it('has a sentence and a next step for each alert, and finds errors in expressions', () => {
  for (const { alert, annotations } of rules) {
    expect(alert).toMatch(/^Dragoman[A-Z]/)
    expect(annotations.summary.length, alert).toBeGreaterThan(10)
    expect(annotations.description, alert).toMatch(/\.$/)
  }
  expect(() => metricsIn('sum by (le (rate(a[5m]))')).toThrow('no PromQL')
})

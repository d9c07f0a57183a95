import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { OpenedModel } from './support/opened-models.ts'

const MISSING = '@ai-sdk/anthropic'
const HINT = `needs the package ${MISSING}. Run: npm install ${MISSING}`
const anthropic = { ANTHROPIC_API_KEY: 'sk-1' }
const openai = { OPENAI_API_KEY: 'sk-2' }

/** A Node process that finds no such package, as where it has not been installed. */
const hooks = `
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve(specifier, context, next) {
      const isMissing = specifier === '${MISSING}' || specifier.startsWith('@modelcontextprotocol/client')
      if (!isMissing) return next(specifier, context)
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    },
  })`

const cases: readonly [string, OpenedModel, string][] = [
  [
    'names a model of it',
    { model: 'anthropic/claude-x' },
    `Agent "dice": model "anthropic/claude-x" ${HINT}`,
  ],
  [
    'names one as a fallback',
    { model: { primary: 'openai/gpt-x', fallback: 'anthropic:claude-x' }, env: openai },
    `Agent "dice": model.fallback "anthropic:claude-x" ${HINT}`,
  ],
  ['names one that has a key', { model: 'sonnet', env: anthropic }, `Agent "dice": model "sonnet" ${HINT}`],
  [
    'names none, and only that one has a key',
    { env: anthropic },
    `Agent "dice": model anthropic:claude-sonnet-5-5 ${HINT} (The agent names no model; ANTHROPIC_API_KEY is set.)`,
  ],
  [
    'is overridden by a model of it',
    { model: 'openai/gpt-x', env: { ...anthropic, DRAGOMAN_MODEL: 'haiku' } },
    `Agent "dice": model anthropic:claude-haiku-5-5 ${HINT} (DRAGOMAN_MODEL (or --model) says so for every agent.)`,
  ],
  [
    'has one in its agent.json, and is asked',
    { model: 'openai/gpt-x', inFile: 'anthropic/claude-x', env: { ...anthropic, ...openai } },
    `The model claude-x ${HINT}`,
  ],
  ['prefers one that has no key', { model: 'sonnet' }, 'offline'],
  ['names none, and another one has a key too', { env: { ...anthropic, ...openai } }, 'openai:gpt-6-astra'],
  ['names another one', { model: 'openai/gpt-x', env: { ...anthropic, ...openai } }, 'openai:gpt-x'],
  [
    'has MCP servers',
    { model: 'offline', mcp: { notes: { command: 'notes' } } },
    'Agent "dice": mcp needs the package @modelcontextprotocol/client. Run: npm install @modelcontextprotocol/client',
  ],
  ['is overridden', { model: 'anthropic/claude-x', env: { DRAGOMAN_MODEL: 'offline' } }, 'offline'],
]

describe('a server without a provider package', () => {
  let home = ''
  let found: readonly string[] = []
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    const script = join(import.meta.dirname, 'support/opened-models.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [
      `--import=data:text/javascript,${encodeURIComponent(hooks)}`,
      script,
      home,
      JSON.stringify(cases.map(([, opened]) => opened)),
    ])
    found = JSON.parse(stdout) as readonly string[]
    // It opens a server for each case.
  }, 60_000)
  afterAll(() => rm(home, { recursive: true }))

  it.each(cases.map(([name, , outcome], index) => [name, outcome, index] as const))(
    '%s: %s',
    (_, outcome, index) => {
      expect(found[index]?.replace(/^ServiceError: |^Error: /, '')).toBe(outcome)
    },
  )
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { gate, type Gate } from '../../../../test/support/gate.ts'
import { calls, FAILED, refuses, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { weather } from '../../../../test/support/story-tools.ts'
import { defineAgent, type AgentServices } from '../agents/index.ts'
import { readConfig } from '../config/config.ts'
import { createServer, type Server } from './create-server.ts'
import type { AgentFactory } from '../modules/index.ts'

const { models, play } = scriptedModel()

describe('a task for another agent', () => {
  let home: string
  let server: Server
  let machine: AgentServices
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    const config = readConfig(['--home', home, '--log-level', 'silent'], {})
    const agent = defineAgent({
      id: 'cook',
      instructions: 'You cook.',
      model: { primary: 'scripted', fallback: 'scripted' },
      maxSteps: 2,
      tools: [weather],
    })
    const cook: AgentFactory = {
      id: 'cook',
      create(services) {
        machine = services
        return { agent }
      },
    }
    server = await createServer({ agents: [cook], config, models })
  })
  afterAll(async () => {
    await server.close()
    await rm(home, { recursive: true })
  })

  const ask = (more: Partial<Parameters<AgentServices['delegate']>[0]> = {}) =>
    machine.delegate({
      agent: 'cook',
      prompt: 'Cook.',
      userId: 'local',
      context: {},
      signal: new AbortController().signal,
      onProgress: () => undefined,
      ...more,
    })

  it('returns the final answer, and reports each step', async () => {
    play([step(calls('c1', 'weather', { city: 'Oslo' })), step(says('It ', 'rains.'))])
    const lines: string[] = []

    expect(await ask({ onProgress: (line) => lines.push(line) })).toBe('It rains.')
    expect(lines).toEqual([
      'step 1: scripted:model',
      'weather {"city":"Oslo"}',
      expect.stringMatching(/^weather: /),
      'step 2: scripted:model',
    ])
  })

  it('runs detached from any thread', async () => {
    const threads = await server.fetch(new Request('http://127.0.0.1/v1/threads'))
    expect(await threads.json()).toMatchObject({ threads: [] })
  })

  it('fails with the agent’s failure', async () => {
    play([refuses(new Error('secret'))])
    await expect(ask()).rejects.toMatchObject({ code: 'tool-failed', message: `cook failed: ${FAILED}` })
  })

  it('notes that the step limit was reached', async () => {
    play([
      step(says('First.'), calls('c1', 'weather', { city: 'Oslo' })),
      step(calls('c2', 'weather', { city: 'Rome' })),
    ])
    expect(await ask()).toMatch(/^First\.\n\n\(cook came to its last step/)
  })

  it('stops when its caller aborts', async () => {
    const held = gate()
    const stopped = Promise.withResolvers<void>()
    const watched: Gate = {
      ...held,
      pass: (signal) => {
        signal?.addEventListener('abort', () => stopped.resolve())
        return held.pass(signal)
      },
    }
    play([step(says('One moment', watched, ' more'))])
    const stop = new AbortController()
    const pending = ask({ signal: stop.signal })
    await held.reached
    stop.abort(new Error('I am gone.'))

    await expect(pending).rejects.toThrow('I am gone.')
    await stopped.promise
  })

  it('does not start for an aborted caller or an unknown agent', async () => {
    await expect(ask({ signal: AbortSignal.abort(new Error('Gone.')) })).rejects.toThrow('Gone.')
    await expect(ask({ agent: 'nobody' })).rejects.toMatchObject({ code: 'invalid-input' })
  })
})

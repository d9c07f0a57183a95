import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { agentAnswers, agentEvents as read, type AgentAnswer } from '../../src/client/index.ts'
import { agentEvents } from '../../src/protocols/agent-events/index.ts'
import { completeLogs } from '../../../../packages/dragoman/src/protocols/arbitrary-logs.fixture.ts'
import { bytesOf } from '../../../../test/laws/encoded.ts'
import { RUNS } from '../../../../test/laws/runs.ts'
import { endOf, folded, contentOfFold } from '../../../../test/laws/message-content.ts'
import { contentOfAnswer } from './answer-content.ts'

const GOLDEN = join(import.meta.dirname, '../../../../test/golden/agent-events')
const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 900 }))

describe('a reader of agent events', () => {
  it('builds the same answer as fold for any run and any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(completeLogs, sizes, async (log, cuts) => {
        const answer = await last(bytesOf(agentEvents, log), cuts)
        const end = endOf(log)
        expect(answer && contentOfAnswer(answer)).toEqual(contentOfFold(folded(log)))
        expect(answer?.error?.message).toBe(end?.type === 'run.failed' ? end.failure.message : undefined)
        expect([answer?.speaking, answer?.stopped]).toEqual([false, end?.type === 'run.cancelled'])
        expect(answer?.usage).toEqual(end?.usage)
      }),
      RUNS,
    )
  })

  it.each(readdirSync(GOLDEN))('builds the same answer of %s in one piece and byte by byte', async (file) => {
    const bytes = readFileSync(join(GOLDEN, file))
    const whole = await last(bytes, [bytes.length])

    expect(whole?.messages).not.toEqual([])
    expect(await last(bytes, Array<number>(bytes.length).fill(1))).toEqual(whole)
  })

  it('throws for a stream that is cut at any byte', async () => {
    const bytes = readFileSync(join(GOLDEN, 'failed.txt'))
    for (const [cut] of bytes.entries()) {
      await expect(last(bytes.subarray(0, cut), [cut])).rejects.toThrow('cut off')
    }
  })
})

async function last(bytes: Buffer, cuts: Iterable<number>): Promise<AgentAnswer | undefined> {
  return (await Array.fromAsync(agentAnswers(read(ReadableStream.from(inPieces(bytes, cuts)))))).at(-1)
}

function* inPieces(bytes: Buffer, cuts: Iterable<number>): Generator<Uint8Array<ArrayBuffer>> {
  let at = 0
  for (const size of cuts) {
    if (at >= bytes.length) return
    yield new Uint8Array(bytes.subarray(at, at + size))
    at += size
  }
}

import { setTimeout as wait } from 'node:timers/promises'

import { check, say } from '../say.ts'
import type { Cluster } from './open-cluster.ts'
import { ask, readAlong, type Reader } from './readers.ts'

const AGENT = 'assistant'
const QUESTION = 'Tell me all that you can do.'
/** How much more each reader must have read before the next node dies. */
const CHARACTERS = 10
const POLL_MS = 50
const MAX_SILENCE_MS = 60_000

/**
 * Two clients on different nodes follow one answer. Meanwhile each node is killed once, with SIGKILL, and started
 * again.
 * @throws if a reader has not read the same as the log holds
 */
export async function showFailover({ nodes, proxy }: Cluster): Promise<void> {
  const chat = await ask(proxy.url, { agent: AGENT, text: QUESTION })
  const readers: readonly Reader[] = [chat, readAlong(proxy.url, chat.runId)]
  await untilLonger(readers)
  for (const { name, node } of readers) say(`${name} reads run ${chat.runId} from ${node()}.`)
  check(new Set(readers.map(({ node }) => node())).size === 2, 'The readers should have different nodes.')
  for (const node of nodes) {
    const lengths = readers.map(({ text }) => text().length)
    await node.kill()
    say(`${node.name} is killed after ${lengths.join(' and ')} characters.`)
    const killedAt = performance.now()
    await untilLonger(readers)
    const seconds = ((performance.now() - killedAt) / 1000).toFixed(1)
    const places = readers.map((reader) => `${reader.name} from ${reader.node()}`).join(', ')
    say(`Both readers continue after ${seconds} s: ${places}.`)
    await node.start()
    while (!proxy.readyNodes().includes(node.name)) await wait(POLL_MS)
    say(`${node.name} is ready again.`)
  }
  await Promise.all(readers.map(({ ended }) => ended))
  const stored = await textInLog(proxy.url, chat.runId)
  for (const { name, text } of readers) {
    say(`${name} has ${text().length} characters, the log ${stored.length}.`)
    check(text() === stored, `${name} has a gap:\n${text()}\n--- The log has:\n${stored}`)
  }
}

/** Waits until each reader has read more of the answer. */
async function untilLonger(readers: readonly Reader[]): Promise<void> {
  const goals = readers.map(({ text }) => text().length + CHARACTERS)
  const deadline = performance.now() + MAX_SILENCE_MS
  while (readers.some(({ text }, at) => text().length < (goals[at] ?? 0))) {
    check(performance.now() < deadline, 'The readers wait too long, or the answer is too short.')
    await wait(POLL_MS)
  }
}

async function textInLog(url: string, runId: string): Promise<string> {
  const response = await fetch(`${url}/v1/runs/${runId}/events`)
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'))
  const events = lines.map(
    (line) => JSON.parse(line.slice('data: '.length)) as { type: string; delta?: string },
  )
  return events.map(({ type, delta }) => (type === 'text.delta' ? delta : '')).join('')
}

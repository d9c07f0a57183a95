import type { Attack, AttackKind } from '../attack.ts'
import { ANSWERS } from '../neighbour-model.ts'

/** A user whose runs do much. */
export const runKinds: readonly AttackKind[] = [
  { name: 'runs that say as much as they may', play: (attack) => startRuns(attack, ANSWERS.text) },
  { name: 'many runs at once', play: (attack) => startRuns(attack, ANSWERS.slow) },
  { name: 'runs with very many calls', play: (attack) => startRuns(attack, ANSWERS.calls) },
  { name: 'calls with very many mistakes', play: (attack) => startRuns(attack, ANSWERS.mistakes) },
  {
    name: 'runs that are started and stopped',
    play: ({ ask, repeat, target: { token } }) =>
      repeat(16, async () => {
        const { text } = await ask({
          method: 'POST',
          path: '/v1/threads',
          token,
          body: { agent: 'assistant' },
        })
        const { id } = JSON.parse(text) as { id: string }
        const run = ask({
          method: 'POST',
          path: `/v1/threads/${id}/runs`,
          token,
          body: { message: ANSWERS.slow },
        })
        await ask({ method: 'POST', path: `/v1/threads/${id}/stop`, token, body: {} })
        await run
      }),
  },
]

function startRuns({ ask, repeat, target: { token } }: Attack, message: string): Promise<void> {
  return repeat(40, () => ask({ method: 'POST', path: '/assistant/chat', token, body: { message } }))
}

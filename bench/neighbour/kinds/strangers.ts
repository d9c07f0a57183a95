import { randomUUID } from 'node:crypto'

import type { Attack, AttackKind } from '../attack.ts'
import { worstText } from '../worst-text.ts'

/** A stranger who sends whole requests, without a user and as guests. */

const SEARCH = `/v1/search?q=${encodeURIComponent('th of an to in is')}`

export const strangerKinds: readonly AttackKind[] = [
  {
    name: 'wrong tokens',
    play: ({ ask, repeat }) =>
      repeat(32, () =>
        ask({ path: '/v1/threads', headers: { authorization: `Bearer dgm_${randomUUID()}` } }),
      ),
  },
  {
    name: 'sign-ins that fail',
    play: ({ ask, repeat }) =>
      repeat(32, () => ask({ method: 'POST', path: '/auth/sign-in', body: { token: randomUUID() } })),
  },
  {
    name: 'new guests',
    play: ({ ask, repeat }) => repeat(8, () => ask({ method: 'POST', path: '/auth/guest' })),
  },
  {
    name: 'messages of guests with the worst patterns',
    play: (attack) => asGuest(attack, 8, (say, count) => say(worstText(count, 19_000))),
  },
  {
    name: 'messages of guests of 4 MB',
    play: (attack) => asGuest(attack, 4, (say, count) => say(worstText(count, 3_800_000)), 20),
  },
  {
    name: 'searches of guests',
    play: async (attack) => {
      const headers = { cookie: await becomeGuest(attack) }
      await attack.repeat(32, () => attack.ask({ path: SEARCH, headers }))
    },
  },
  {
    name: 'charts, greetings and exports of guests',
    play: async (attack) => {
      const headers = { cookie: await becomeGuest(attack) }
      const paths = ['/life/chart?language=zh', '/life/export', '/api/fortune/greeting', '/life/memories']
      let count = 0
      await attack.repeat(16, () => attack.ask({ path: paths[count++ % paths.length] ?? '', headers }))
    },
  },
]

type Say = (message: string) => Promise<unknown>

async function asGuest(
  attack: Attack,
  lines: number,
  act: (say: Say, count: number) => Promise<unknown>,
  perSecond?: number,
): Promise<void> {
  const headers = { cookie: await becomeGuest(attack) }
  const say: Say = (message) =>
    attack.ask({
      method: 'POST',
      path: '/api/v1/chat/v5/stream',
      headers,
      body: { message, conversation_id: randomUUID() },
    })
  let count = 0
  await attack.repeat(lines, () => act(say, count++), perSecond)
}

async function becomeGuest({ ask }: Attack): Promise<string> {
  return (await ask({ method: 'POST', path: '/auth/guest' })).cookie
}

import { randomUUID } from 'node:crypto'

import type { Attack, AttackKind } from '../attack.ts'
import { createTexts, historyBody } from '../large-thread.ts'
import { requestBytes } from '../send-request.ts'
import { writeSlowly } from '../web-socket.ts'
import { worstText } from '../worst-text.ts'

/** A user who sends much, or asks for much work. */

const CHATS = ['/assistant/chat', '/life/chat', '/jobs/chat']
const LISTS = [
  '/v1/threads',
  '/v1/runs',
  '/v1/questions',
  '/v1/usage',
  '/v1/agents',
  '/assistant/chat/conversations',
]
const MANY_KEYS = `{${Array.from({ length: 98_000 }, (_, index) => `"k${index}":1`).join(',')}}`
const SEARCH = `/v1/search?q=${encodeURIComponent('the sea is in it')}`
const LARGE_BODY = 3_900_000

export const requestKinds: readonly AttackKind[] = [
  { name: 'messages of 200 kB with the worst patterns', play: (attack) => say(attack, 190_000) },
  { name: 'messages of 4 MB', play: (attack) => say(attack, 3_800_000, 20) },
  {
    name: 'bodies with very many keys',
    play: (attack) => {
      const post = poster(attack, '/ag-ui/assistant')
      const fields = ['state', 'forwardedProps', 'context']
      let count = 0
      return attack.repeat(
        8,
        () => {
          const body = JSON.stringify({ ...historyBody(randomUUID(), []), [fields[count++ % 3] ?? '']: 0 })
          return post(body.replace(/"(state|forwardedProps|context)":0/, `"$1":${MANY_KEYS}`))
        },
        40,
      )
    },
  },
  {
    name: 'bodies of 4 MB that are no JSON',
    play: (attack) => {
      const bodies = [
        `"${'\\u0000'.repeat(LARGE_BODY / 6)}`,
        '['.repeat(LARGE_BODY),
        `${' '.repeat(LARGE_BODY)}x`,
      ]
      const post = poster(attack, '/v1/threads')
      let count = 0
      return attack.repeat(8, () => post(bodies[count++ % bodies.length] ?? ''), 40)
    },
  },
  {
    name: 'searches',
    play: ({ ask, repeat, target: { large } }) => repeat(60, () => ask({ path: SEARCH, token: large.token })),
  },
  {
    name: 'lists',
    play: ({ ask, repeat, target: { large } }) => {
      let count = 0
      return repeat(60, () => ask({ path: LISTS[count++ % LISTS.length] ?? '', token: large.token }))
    },
  },
  {
    name: 'requests one after the other on sixteen connections',
    play: ({ open, repeat, target: { token } }) => {
      const bytes = requestBytes({ path: '/v1/agents', token }).repeat(100)
      return repeat(
        16,
        async () => {
          const socket = (await open()).resume()
          for (let count = 0; count < 4; count++) await writeSlowly(socket, bytes)
          await new Promise((resolve) => setTimeout(resolve, 1000))
          socket.destroy()
        },
        16,
      )
    },
  },
  {
    name: 'imported histories of many messages',
    play: (attack) => {
      const texts = createTexts(2000, 20)
      const post = poster(attack, '/ag-ui/assistant')
      return attack.repeat(8, () => post(historyBody(randomUUID(), texts)), 20)
    },
  },
  {
    name: 'imported histories of 4 MB',
    play: (attack) => {
      const texts = createTexts(19, 190_000)
      const post = poster(attack, '/ag-ui/assistant')
      return attack.repeat(4, () => post(historyBody(randomUUID(), texts)), 4)
    },
  },
  {
    name: 'forks of a large conversation',
    play: ({ ask, repeat, target: { large } }) =>
      repeat(8, () =>
        ask({ method: 'POST', path: `/v1/threads/${large.id}/fork`, token: large.token, body: {} }),
      ),
  },
  {
    name: 'new conversations and sessions',
    play: (attack) => {
      const [threads, sessions] = [poster(attack, '/v1/threads'), poster(attack, '/api/session')]
      let count = 0
      return attack.repeat(16, () => (count++ % 2 === 0 ? threads({ agent: 'assistant' }) : sessions({})))
    },
  },
  {
    name: 'titles',
    play: async ({ ask, repeat, target: { large } }) => {
      let count = 0
      const change = () =>
        ask({
          method: 'PATCH',
          path: `/v1/threads/${large.id}`,
          token: large.token,
          body: { title: `title ${count++}` },
        })
      await repeat(16, change)
    },
  },
]

function say(attack: Attack, chars: number, perSecond?: number): Promise<void> {
  let count = 0
  return attack.repeat(
    8,
    () => poster(attack, CHATS[count % CHATS.length] ?? '')({ message: worstText(count++, chars) }),
    perSecond,
  )
}

function poster({ ask, target: { token } }: Attack, path: string) {
  return (body: object | string) => ask({ method: 'POST', path, token, body })
}

import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import type { Attack, AttackKind } from '../attack.ts'
import { ANSWERS } from '../neighbour-model.ts'
import { requestBytes, type AttackRequest } from '../send-request.ts'

/** A user who asks for much and reads nothing, or little. */

type Read = (thread: { readonly id: string; readonly run: string }) => AttackRequest

const READS: Readonly<Record<string, Read>> = {
  history: ({ id }) => ({ path: `/v1/threads/${id}/messages?limit=100` }),
  'history of a chat': ({ id }) => ({ path: `/assistant/chat/history?conversationId=${id}` }),
  exports: ({ id }) => ({ path: `/v1/threads/${id}/export?format=json` }),
  'Markdown exports': ({ id }) => ({ path: `/v1/threads/${id}/export?format=markdown` }),
  'events of runs': ({ run }) => ({ path: `/v1/runs/${run}/events` }),
  runs: ({ run }) => ({ path: `/v1/runs/${run}` }),
  'connections of CopilotKit': ({ id }) => ({
    method: 'POST',
    path: '/copilotkit/agent/assistant/connect',
    body: { threadId: id, runId: 'r' },
  }),
}

export const readerKinds: readonly AttackKind[] = [
  ...Object.entries(READS).map(([name, read]) => ({
    name: `${name} that no one reads`,
    play: (attack: Attack) => attack.hold(64, () => openReader(attack, read)),
  })),
  {
    name: 'exports that are read',
    play: ({ ask, repeat, target: { large } }) =>
      repeat(16, () => ask({ path: `/v1/threads/${large.id}/export?format=markdown`, token: large.token })),
  },
  {
    name: 'exports that are read byte by byte',
    play: (attack) =>
      attack.hold(64, async () => {
        const socket = await openReader(attack, READS['exports'] ?? missing)
        const timer = setInterval(() => socket.read(1), 100)
        socket.once('close', () => clearInterval(timer))
        return socket
      }),
  },
  {
    name: 'readers of a live run',
    play: async (attack) => {
      const { target, hold, open } = attack
      const run = await startSlowRun(attack)
      const bytes = requestBytes({ path: `/v1/runs/${run}/events`, token: target.token })
      await hold(300, async () => {
        const socket = await open()
        socket.write(bytes)
        return socket.resume()
      })
    },
  },
]

async function openReader({ open, target: { large } }: Attack, read: Read): Promise<Socket> {
  const socket = await open()
  socket.write(requestBytes({ ...read(large), token: large.token }))
  return socket
}

function missing(): AttackRequest {
  return { path: '/' }
}

async function startSlowRun({ ask, target: { token } }: Attack): Promise<string> {
  const { text } = await ask({ method: 'POST', path: '/v1/threads', token, body: { agent: 'assistant' } })
  const { id } = JSON.parse(text) as { id: string }
  void ask({ method: 'POST', path: `/v1/threads/${id}/runs`, token, body: { message: ANSWERS.slow } })
  for (;;) {
    const reply = await ask({ path: `/v1/runs?thread=${id}`, token })
    const { runs } = JSON.parse(reply.text) as { runs: { id: string }[] }
    if (runs[0]) return runs[0].id
    await pause(50)
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Server } from '../../../../packages/dragoman/src/index.ts'
import { openServer } from '../../src/main.ts'
import { warnsOfNothing } from '../../../../test/support/quiet.ts'
import { allBuilds, openChat, textOf } from '../../../../test/clients/sdk-chat.ts'

const at = '/api/v1/chat/v5/stream'
const birth = { info_type: 'birth', birthDate: '1990-05-15', birthTime: '14:30', gender: 'female' }

/** By the pillars of `lunar-typescript` 1.8.6 for that day and hour. */
const PILLARS = ['庚午', '辛巳', '庚辰', '癸未']

warnsOfNothing()

describe('the demo model over the VibeLife chat', () => {
  let home: string
  let dragoman: Server
  let url: string
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    const flags = ['--port', '0', '--home', home, '--log-level', 'silent']
    dragoman = await openServer(flags, { DRAGOMAN_OFFLINE_PACE: '0' })
    url = await dragoman.listen()
  })
  afterAll(async () => {
    await dragoman.close()
    await rm(home, { recursive: true, force: true })
  })

  it.each([
    ['5.0.0', '看看我的八字', '填好了，看看我的八字', '日主'],
    ['6.0.326', 'Show me my chart', 'Done. Show me my chart', 'Day Master'],
    ['7.0.173', '看看我的八字', '填好了，看看我的八字', '日主'],
  ] as const)(
    'requests the missing data of a page with %s, and shows the chart',
    async (build, ask, again, words) => {
      await fetch(`${url}/life/everything`, { method: 'DELETE' })
      const sdk = allBuilds[build]
      if (!sdk) throw new Error(`There is no client ${build} here.`)
      const chat = openChat(await sdk(), { url, at, id: `talk-${build}` })

      await chat.sendMessage({ text: ask })
      expect(cardsIn(chat.messages.at(-1))).toContainEqual(
        expect.objectContaining({ cardType: expect.stringMatching(/^(collect_form|need_info)$/) }),
      )
      await chat.sendMessage({ text: again }, { body: { form: birth } })

      expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
      const card = cardsIn(chat.messages.at(-1)).find(({ cardType }) => cardType === 'bazi_chart')
      for (const pillar of PILLARS) expect(JSON.stringify(card)).toContain(pillar)
      expect(card?.text).toContain(words)
      expect(textOf(chat.messages.at(-1))).not.toBe('')
    },
  )
})

type Card = { readonly cardType?: string; readonly text?: string }

function cardsIn(message: { readonly parts: readonly object[] } | undefined): Card[] {
  return (message?.parts ?? []).flatMap((part) =>
    'output' in part && 'state' in part && part.state === 'output-available' ? [part.output as Card] : [],
  )
}

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { chatProvider } from '../../../agents/coding/test/own-pages/chat-provider.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { clients } from './support/guide-clients.ts'
import { blocksOf, linesOf, readGuide, runLine } from './support/guide-lines.ts'

/** Where a server listens for which no port is named. */
const DEFAULT_PORT = '3033'

describe('the guides for those who have a client', () => {
  it.each(Object.entries(clients))('can be followed as written: %s', async (name, askAsClient) => {
    const guide = readGuide(name)
    const home = await createTempDir()
    await mkdir(join(home, 'project'))
    const [port = DEFAULT_PORT] = linesOf(guide).flatMap((line) => /--port (\d+)/.exec(line)?.[1] ?? [])
    await using provider = await chatProvider()
    const env = {
      HOME: home,
      DRAGOMAN_PORT: '0',
      DRAGOMAN_OFFLINE_PACE: '0',
      DRAGOMAN_PRIVATE_HOST: new URL(provider.url).host,
    }

    let url = ''
    for (const line of linesOf(guide).filter((each) => each.startsWith('npm start'))) {
      // Another server may have the port. So only its number is another than in the guide.
      const here = line.replace(`--port ${port}`, '--port 0').replace(`http://localhost:${port}`, url)
      const running = runLine(here, { ...env, ...(url && { DRAGOMAN_URL: url }) })
      if (/^npm start(?: -- --.*)?$/.test(line)) {
        url = await running.findOutput(/dragoman ready (\S+)/)
        await askAsClient({ url, home, guide, provider })
        continue
      }
      const { code, output } = await running.ended
      // An answer needs a question of the reader's.
      const isAnswer = line.includes('QUESTION')
      expect({ line, code, output }).toMatchObject({ code: isAnswer ? 1 : 0 })
      if (isAnswer) expect(output).toContain('There is no question QUESTION.')
    }
    expect(url).not.toBe('')
  })

  it.each(Object.keys(clients))('say the same in Chinese: %s', (name) => {
    const [english, chinese] = [readGuide(name), readGuide(name, 'zh')]

    expect(linesOf(chinese)).toEqual(linesOf(english))
    expect(blocksOf(chinese, 'js')).toEqual(blocksOf(english, 'js'))
  })
})

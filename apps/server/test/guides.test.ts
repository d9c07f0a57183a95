import { globSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { useProcesses } from '../../../test/support/use-processes.ts'
import { ask } from '../../../test/support/wire.ts'

const GUIDES = join(import.meta.dirname, '../../../docs/{,zh/}guide/from')

/** The commands of the server in a guide's first shell block, as written, without the program. */
function commandsOf(file: string): string[][] {
  const [, block = ''] = /^```sh\n(.*?)^```$/ms.exec(readFileSync(file, 'utf8')) ?? []
  const commands = block.matchAll(/^(?:npm start --|dragoman|npx @dragoman\/server)(?= |$)(.*)$/gm)
  return Array.from(commands, ([, words = '']) => words.split(' ').filter((word) => word !== ''))
}

describe('the guides for those who have a client', () => {
  const house = useProcesses()

  it.each(globSync(`${GUIDES}/*.md`).map((file) => [basename(file), file]))(
    'say how to start the server: %s',
    async (_name, file) => {
      const commands = commandsOf(file)
      expect(commands.length).toBeGreaterThan(0)
      await mkdir(join(house.home, 'project'))
      const env = { PATH: process.env['PATH'] ?? '', HOME: house.home }
      for (const command of commands) {
        const words = command.map((word) => word.replace(/^~/, house.home))
        const isStart = words.length === 0 || words[0]?.startsWith('--')
        // The port may be another server's.
        const child = house.start([...words, ...(isStart ? ['--port', '0'] : []), '--home', house.home], env)
        if (!isStart) expect(await child.ended).toMatchObject({ code: 0 })
        else expect((await ask(await child.ready, { path: '/health' })).status).toBe(200)
      }
    },
  )
})

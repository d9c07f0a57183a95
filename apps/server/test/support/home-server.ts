import { vi } from 'vitest'

import { createServer, readConfig } from '../../../../packages/dragoman/src/index.ts'
import { createModels } from '../../../../packages/dragoman/src/models/index.ts'
import { openPostgres } from '../../../../packages/postgres/src/index.ts'
import { bundledAgents, bundledParts } from '../../src/main.ts'

/** The server of a home, with its data there or in PostgreSQL. */
export async function serveHome(home: string, url?: string) {
  const storage = url === undefined ? undefined : await openPostgres(url)
  const words = ['--port', '0', '--home', home, '--log-level', 'silent', '--require-token', '--guests']
  const config = readConfig(words, {}, bundledAgents)
  const models = createModels({ env: {}, offlinePace: 0 })
  const server = await createServer({ ...bundledParts, ...storage, agents: bundledAgents, config, models })
  return {
    ...server,
    async close() {
      await server.close()
      await storage?.close()
    },
  }
}
export type HomeServer = Awaited<ReturnType<typeof serveHome>>

/** Does something and returns what it prints. */
export async function printed(
  act: () => Promise<unknown>,
): Promise<{ stdout: string; stderr: string; result: unknown }> {
  const [stdout, stderr] = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
  for (const output of [stdout, stderr]) output.mockReturnValue(true)
  const words = ({ mock }: typeof stdout): string => mock.calls.map(([text]) => String(text)).join('')
  try {
    const result = await act()
    return { stdout: words(stdout), stderr: words(stderr), result }
  } finally {
    stdout.mockRestore()
    stderr.mockRestore()
  }
}

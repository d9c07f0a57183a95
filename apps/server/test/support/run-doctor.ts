import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { doctorCommand } from '../../src/cli/doctor.ts'
import { exitCodeOf } from '../../src/cli/new-command.ts'

/** What the doctor says, line by line. */
export async function runDoctor(args: readonly string[], env: Record<string, string> = {}) {
  const lines: string[] = []
  const command = doctorCommand({ env, print: (line) => lines.push(line.trimEnd()) })
  const code = await command.parseAsync([...args], { from: 'user' }).then(
    () => 0,
    (error: unknown) => {
      const exitCode = exitCodeOf(error)
      if (exitCode === undefined) throw error
      return exitCode
    },
  )
  return {
    code,
    lines,
    about: (what: string) => lines.filter((line) => line.slice(2).startsWith(`${what}:`)),
  }
}

/** A server that is none of ours. */
export async function serving(listener: RequestListener): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

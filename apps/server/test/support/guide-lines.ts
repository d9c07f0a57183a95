import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../..')
const GUIDES = join(ROOT, 'docs')

/** A guide for those who have a client. */
export function readGuide(name: string, language: '' | 'zh' = ''): string {
  return readFileSync(join(GUIDES, language, 'guide/from', `${name}.md`), 'utf8')
}

/** Its blocks of code in a language. */
export function blocksOf(guide: string, language: string): string[] {
  const blocks = guide.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))
  return Array.from(blocks, ([, code = '']) => code)
}

/** The lines that its reader runs. */
export function linesOf(guide: string): string[] {
  return blocksOf(guide, 'sh').flatMap((block) => block.trim().split('\n'))
}

type Ended = { readonly code: number | null; readonly output: string }

/**
 * Runs a line in a shell: in the clone, unless another folder is given. Its processes end with the test, as all get
 * what ends them. `findOutput` resolves with what the first group of an expression holds, once the output has it.
 */
export function runLine(line: string, env: Readonly<Record<string, string>>, cwd = ROOT) {
  const child = spawn('sh', ['-c', line], {
    cwd,
    env: { PATH: process.env['PATH'], npm_config_update_notifier: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const looks = new Set<() => void>()
  const hear = (text: string): void => {
    output += text
    for (const look of looks) look()
  }
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  const { promise: ended, ...end } = Promise.withResolvers<Ended>()
  child.once('error', end.reject)
  child.once('close', (code) => end.resolve({ code, output }))
  onTestFinished(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await ended
  })
  const findOutput = async (what: RegExp): Promise<string> => {
    const found = Promise.withResolvers<string>()
    const look = (): void => {
      const [, held] = what.exec(output) ?? []
      if (held !== undefined) found.resolve(held)
    }
    looks.add(look)
    look()
    const early = ended.then(({ code }) => {
      throw new Error(`${line} has ended with ${code}: ${output}`)
    })
    return await Promise.race([found.promise, early])
  }
  return { ended, findOutput }
}

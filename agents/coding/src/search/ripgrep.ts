import { spawn } from 'node:child_process'
import { once as happened } from 'node:events'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { relative } from 'node:path/posix'

import { ServiceError } from '../../../errors.ts'
import { pathPattern } from './path-pattern.ts'
import { fieldsIn, hitsIn } from './ripgrep-output.ts'
import { ignoreRules } from './rules.ts'
import { MOST_OF_FILE, type Ground, type Hit, type Searcher } from './searcher.ts'

/** Nothing from outside has a say: no configuration, no ignore files above the root or of other tools. */
const ALWAYS = [
  '--no-config',
  '--color=never',
  '--no-messages',
  '--path-separator=/',
  '--null',
  '--sort=path',
  '--hidden',
  '--no-follow',
  '--no-ignore-parent',
  '--no-require-git',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--no-ignore-dot',
]
/** The second engine, where it is there, knows what the first does not: looking around, and back. */
const OF_LINES = [
  '--line-number',
  '--with-filename',
  '--no-heading',
  '--case-sensitive',
  '--crlf',
  '--no-mmap',
  '--engine=auto',
  `--max-filesize=${MOST_OF_FILE}`,
]

/** Searches with the ripgrep at that path. */
export function ripgrep(rgPath: string): Searcher {
  return {
    async *files(ground, signal) {
      const args = [...ALWAYS, '--files', ...(await placeArguments(ground))]
      yield* wanted(ground, pathsIn(output(rgPath, args, { ground, signal })))
    },
    async *lines(ground, { regex, names, lastName }, signal) {
      const kind = lastName === undefined ? [] : [`--type-add=wanted:${lastName}`, '--type=wanted']
      const args = [...ALWAYS, ...OF_LINES, ...kind, `--regexp=${regex}`, ...(await placeArguments(ground))]
      const hits = hitsIn(output(rgPath, args, { ground, signal }))
      yield* wanted(ground, hits, names)
    },
  }
}

async function placeArguments(ground: Ground): Promise<string[]> {
  const { root, start, skip } = ground
  const names = skip.map((name) => `--glob=!${name}`)
  const isBelow = start !== '' && !(await ignoreRules(ground).startIsIgnored())
  // It may name a whole folder that need not be walked through. What it lets through is looked at again.
  const above = isBelow && (await isFile(join(root, '.gitignore'))) ? ['--ignore-file=.gitignore'] : []
  return [...names, ...above, '--', `./${start}`]
}

async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** Of what was found, what ignore files between the root and the start let through, and whose path is wanted. */
async function* wanted<Item extends string | Hit>(
  ground: Ground,
  items: AsyncIterable<Item>,
  names?: string,
): AsyncGenerator<Item> {
  const isNamed = names === undefined ? undefined : pathPattern('include', names)
  const rules = ground.start === '' ? undefined : ignoreRules(ground)
  let last: { readonly path: string; readonly isWanted: boolean } | undefined
  for await (const item of items) {
    const path = typeof item === 'string' ? item : item.path
    if (last?.path !== path) {
      const isIgnored = path !== ground.start && (await rules?.ignores(path)) === true
      last = { path, isWanted: !isIgnored && (isNamed?.(relative(ground.start, path)) ?? true) }
    }
    if (last.isWanted) yield item
  }
}

async function* pathsIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const { text } of fieldsIn(bytes, 0)) yield text.replace(/^\.\//, '')
}

/** Enough to tell what is wrong with a pattern, in characters. */
const MOST_SAID = 4000

type Under = { readonly ground: Ground; readonly signal: AbortSignal }

/** What ripgrep writes, until it is done or the reader has enough: then it is ended. */
async function* output(
  rgPath: string,
  args: readonly string[],
  { ground, signal }: Under,
): AsyncGenerator<Buffer> {
  signal.throwIfAborted()
  const child = spawn(rgPath, args, {
    cwd: ground.root,
    env: systemRoot(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const ended = happened(child, 'close').then(
    ([code]: unknown[]) => code,
    (cause: unknown) => {
      throw new ServiceError('unavailable', 'ripgrep cannot be started.', { cause })
    },
  )
  ended.catch(() => undefined)
  const end = (): boolean => child.kill('SIGKILL')
  signal.addEventListener('abort', end, { once: true })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, MOST_SAID)
  })
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    const code = await ended
    signal.throwIfAborted()
    // Files that it could not read are no mistake of the pattern's.
    if (code === 2 && said !== '') throw new ServiceError('invalid-input', mistakeIn(said))
    if (code === null) throw new ServiceError('unavailable', 'ripgrep was ended.')
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

/** All that a program needs of its surroundings, and that on Windows only. */
function systemRoot(): Record<string, string> {
  const root = process.env['SystemRoot']
  return root === undefined ? {} : { SystemRoot: root }
}

function mistakeIn(said: string): string {
  return /^error: (.*)$/m.exec(said)?.[1] ?? said.trim().split('\n').at(-1) ?? ''
}

import { spawn } from 'node:child_process'
import { once as happened } from 'node:events'
import { relative } from 'node:path/posix'

import { ServiceError } from 'dragoman/errors'
import { REPLACED } from '../commands/enter.ts'
import { knownBy } from '../commands/mounts.ts'
import type { Sandboxes } from '../commands/sandbox.ts'
import { holdFolder } from '../workspace/held-folder.ts'
import { pathPattern } from './path-pattern.ts'
import { fieldsIn, hitsIn } from './ripgrep-output.ts'
import { ignoreRules } from './ignore-rules.ts'
import { MAX_FILE_BYTES, type Ground, type Hit, type Searcher } from './searcher.ts'

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
  `--max-filesize=${MAX_FILE_BYTES}`,
]

/** Searches with the ripgrep at that path, in a sandbox in which the root can only be read. */
export function ripgrep(rgPath: string, sandboxes: Pick<Sandboxes, 'around'>): Searcher {
  const program = { rgPath, sandboxes }
  return {
    isExact: false,
    async *files(ground, signal) {
      const args = [...ALWAYS, '--files', ...(await placeArguments(ground))]
      yield* wanted(ground, pathsIn(output(program, args, { ground, signal })))
    },
    async *lines(ground, { regex, names, lastName }, signal) {
      const kind = lastName === undefined ? [] : [`--type-add=wanted:${lastName}`, '--type=wanted']
      const args = [...ALWAYS, ...OF_LINES, ...kind, `--regexp=${regex}`, ...(await placeArguments(ground))]
      const hits = hitsIn(output(program, args, { ground, signal }))
      yield* wanted(ground, hits, names)
    },
  }
}

async function placeArguments(ground: Ground): Promise<string[]> {
  const { start, skip } = ground
  const names = skip.map((name) => `--glob=!${name}`)
  const isBelow = start !== '' && !(await ignoreRules(ground).startIsIgnored())
  // It may name a whole folder that need not be walked through. What it lets through is looked at again.
  const above = isBelow && (await ignoreRules(ground).areAtRoot()) ? ['--ignore-file=.gitignore'] : []
  return [...names, ...above, '--', `./${start}`]
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

/** How a shell ends that cannot run its program, or does not find it. */
const NOT_RUN: ReadonlySet<unknown> = new Set([126, 127])
/** Enough to tell what is wrong with a pattern, in characters. */
const MAX_ERROR_LENGTH = 4000

type Program = { readonly rgPath: string; readonly sandboxes: Pick<Sandboxes, 'around'> }
type Under = { readonly ground: Ground; readonly signal: AbortSignal }

/** What ripgrep writes, until it is done or the reader has enough: then it is ended. */
async function* output(
  { rgPath, sandboxes }: Program,
  args: readonly string[],
  { ground, signal }: Under,
): AsyncGenerator<Buffer> {
  signal.throwIfAborted()
  const { root, bounds } = ground
  await using held = await holdFolder(bounds, root)
  const cwd = { path: root, id: await knownBy(held.at) }
  const box = await sandboxes.around({
    folders: [{ ...cwd, bounds }],
    access: 'read',
    programs: [rgPath],
    cwd,
    network: 'none',
  })
  if (!box) throw new ServiceError('unavailable', 'ripgrep cannot be started without a sandbox.')
  const child = spawn(box.file, [...box.args, rgPath, ...args], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
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
    said = (said + text).slice(0, MAX_ERROR_LENGTH)
  })
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    const code = await ended
    signal.throwIfAborted()
    if (code === REPLACED) {
      throw new ServiceError('conflict', 'The folder was replaced while it was searched. Search again.')
    }
    if (NOT_RUN.has(code)) throw new ServiceError('unavailable', 'ripgrep cannot be started.')
    // Files that it could not read are no mistake of the pattern's.
    if (code === 2 && said !== '') throw new ServiceError('invalid-input', mistakeIn(said))
    if (code === null) throw new ServiceError('unavailable', 'ripgrep was ended.')
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

function mistakeIn(said: string): string {
  return /^error: (.*)$/m.exec(said)?.[1] ?? said.trim().split('\n').at(-1) ?? ''
}

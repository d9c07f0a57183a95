import { once as happened } from 'node:events'
import { relative } from 'node:path/posix'

import { ServiceError } from 'dragoman/errors'
import { FOLDER_REPLACED_EXIT_CODE } from '../commands/enter-sandbox-args.ts'
import { folderId } from '../commands/mount-plan.ts'
import type { Sandboxes } from '../commands/create-sandboxes.ts'
import { spawnProgram } from '../commands/spawn-program.ts'
import { openFolderHandle } from '../workspace/folder-handle.ts'
import { pathPattern } from './path-pattern.ts'
import { readFields, readHits } from './ripgrep-output.ts'
import { ignoreRules } from './ignore-rules.ts'
import { MAX_FILE_BYTES, type SearchArea, type Hit, type Searcher } from './searcher.ts'

/** Nothing from outside has a say: no configuration, no ignore files above the root or of other tools. */
const COMMON_FLAGS = [
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
/** The engine `auto` also supports lookaround and backreferences. */
const LINE_FLAGS = [
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
export function ripgrepSearcher(rgPath: string, sandboxes: Pick<Sandboxes, 'wrap'>): Searcher {
  const program = { rgPath, sandboxes }
  return {
    isExact: false,
    async *files(ground, signal) {
      const args = [...COMMON_FLAGS, '--files', ...(await placeArguments(ground))]
      yield* filterResults(ground, readPaths(runRipgrep(program, args, { ground, signal })))
    },
    async *lines(ground, { regex, names, lastName }, signal) {
      const kind = lastName === undefined ? [] : [`--type-add=wanted:${lastName}`, '--type=wanted']
      const args = [
        ...COMMON_FLAGS,
        ...LINE_FLAGS,
        ...kind,
        `--regexp=${regex}`,
        ...(await placeArguments(ground)),
      ]
      const hits = readHits(runRipgrep(program, args, { ground, signal }))
      yield* filterResults(ground, hits, names)
    },
  }
}

async function placeArguments(ground: SearchArea): Promise<string[]> {
  const { start, skip } = ground
  const names = skip.map((name) => `--glob=!${name}`)
  const isBelow = start !== '' && !(await ignoreRules(ground).startIsIgnored())
  // It may name a whole folder that need not be walked through. What it lets through is looked at again.
  const above = isBelow && (await ignoreRules(ground).areAtRoot()) ? ['--ignore-file=.gitignore'] : []
  return [...names, ...above, '--', `./${start}`]
}

/** Of what was found, what ignore files between the root and the start let through, and whose path is wanted. */
async function* filterResults<Item extends string | Hit>(
  ground: SearchArea,
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

async function* readPaths(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const { text } of readFields(bytes, 0)) yield text.replace(/^\.\//, '')
}

/** How a shell ends that cannot run its program, or does not find it. */
const NOT_STARTED_CODES: ReadonlySet<unknown> = new Set([126, 127])
/** Enough to tell what is wrong with a pattern, in characters. */
const MAX_ERROR_LENGTH = 4000

type Program = { readonly rgPath: string; readonly sandboxes: Pick<Sandboxes, 'wrap'> }
type RunOptions = { readonly ground: SearchArea; readonly signal: AbortSignal }

/** What ripgrep writes, until it is done or the reader has enough: then it is ended. */
async function* runRipgrep(
  { rgPath, sandboxes }: Program,
  args: readonly string[],
  { ground, signal }: RunOptions,
): AsyncGenerator<Buffer> {
  signal.throwIfAborted()
  const { root, bounds } = ground
  await using held = await openFolderHandle(bounds, root)
  const cwd = { path: root, id: await folderId(held.at) }
  const sandbox = await sandboxes.wrap({
    folders: [{ ...cwd, bounds }],
    access: 'read',
    programs: [rgPath],
    cwd,
    network: 'none',
  })
  if (!sandbox) throw new ServiceError('unavailable', 'ripgrep cannot be started without a sandbox.')
  const child = spawnProgram(
    { ...sandbox, args: [...sandbox.args, rgPath, ...args] },
    { cwd: '/', env: {}, detached: false, isControlled: false, priority: 'lowest' },
  )
  const ended = happened(child, 'close').then(
    ([code]: unknown[]) => code,
    (cause: unknown) => {
      throw new ServiceError('unavailable', 'ripgrep cannot be started.', { cause })
    },
  )
  ended.catch(() => undefined)
  const end = (): boolean => child.kill('SIGKILL')
  signal.addEventListener('abort', end, { once: true })
  let errorOutput = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(0, MAX_ERROR_LENGTH)
  })
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    const code = await ended
    signal.throwIfAborted()
    // ripgrep says nothing where it finds nothing: these are the words of a sandbox that could not be made.
    if (code === FOLDER_REPLACED_EXIT_CODE || (code === 1 && errorOutput !== '')) {
      throw new ServiceError('conflict', 'The folder was replaced while it was searched. Search again.')
    }
    if (NOT_STARTED_CODES.has(code)) throw new ServiceError('unavailable', 'ripgrep cannot be started.')
    // Files that it could not read are no mistake of the pattern's.
    if (code === 2 && errorOutput !== '') throw new ServiceError('invalid-input', errorMessage(errorOutput))
    if (code === null) throw new ServiceError('unavailable', 'ripgrep was ended.')
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

function errorMessage(errorOutput: string): string {
  return /^error: (.*)$/m.exec(errorOutput)?.[1] ?? errorOutput.trim().split('\n').at(-1) ?? ''
}

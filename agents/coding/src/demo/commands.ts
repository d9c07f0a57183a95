import type { Deed } from './deed.ts'
import { folderIn, meant, QUOTED } from './paths.ts'

const english = /^(?:run|execute)\s+(?:the\s+(?:shell\s+)?command:?\s+)?(.+)$/i
const chinese =
  /^(?:(?:在|到)\s*(\S+?)\s*(?:目录|文件夹)?(?:里|中|下)?\s*)?(?:运行|执行|跑)(?:一下)?(?:这条|这个)?(?:命令)?[：:]?\s*(.+)$/
const inFolder = /^(?:in|inside|within)\s+(.+)$/i

/** What a user says of a command besides the command. */
const asides =
  /\s*(?:(?:[,，]|\band\b|\bthen\b|然后|并)\s*)+(?:tell|show|explain|say|let|report|give|see|check|告诉|看看|说|给我|报告).*$/iu
/** Without quotes only what is known for a program, has a path or takes an option is a command: “run fast” is half a sentence. */
const programs =
  'npm npx pnpm yarn node deno bun tsc vitest jest mocha eslint prettier git ls cat echo printf pwd date whoami id uname hostname env ' +
  'printenv which sleep yes seq true false head tail wc sort uniq cut tr grep rg find sed awk diff du df ps kill touch mkdir rmdir rm cp mv ln ' +
  'chmod tar zip unzip make cmake gcc clang python python3 pip pip3 pytest ruff mypy uv poetry ruby bundle rake php composer go cargo rustc ' +
  'java javac mvn gradle dotnet swift docker curl wget sh bash zsh'
const known = new Set(programs.split(' '))

/**
 * A command that is plainly asked for: the wish begins with “run”, and the rest is quoted, or is a command and nothing else. What may be half
 * a sentence is no command.
 */
export function readCommand(words: string): Deed | undefined {
  const zh = chinese.exec(words)
  const rest = (zh?.[2] ?? english.exec(words)?.[1])?.trim()
  if (rest === undefined) return undefined
  const quoted = new RegExp(`^(?:${QUOTED.source})(.*)$`).exec(rest)
  if (quoted) {
    const command = quoted.slice(1, -1).find((part) => part !== undefined)
    return command === undefined ? undefined : run(command, zh?.[1] ?? folderAfter(quoted.at(-1) ?? ''))
  }
  const { command: bare, folder } = parted(
    rest.replace(asides, '').replace(/\s+please$|[。！]+$|(?<=\w)\.$/i, ''),
  )
  const [program = ''] = bare.split(/\s/, 1)
  if (!known.has(program) && !/^[\w.~-]*\/|\s-{1,2}\w/.test(bare)) return undefined
  if (/[?？]\s*$|\s(?:and|then)\s/iu.test(bare) || goesOnInChinese(bare)) return undefined
  return run(bare, zh?.[1] ?? folder)
}

/** Chinese behind a command is what is said about it, unless it is what is to be said, or the name of a file. */
function goesOnInChinese(command: string): boolean {
  if (/^(?:echo|printf)\s/.test(command)) return /\p{Script=Han}[，。；]/u.test(command)
  return command
    .split(/\s+/)
    .some((word) => /\p{Script=Han}/u.test(word) && !/^[^，。；]*[./]\w*$/u.test(word))
}

/** “ls in src”: where to run it, behind it. */
function parted(words: string): { command: string; folder?: string } {
  const [, command = words, folder] = /^(.+?)\s+(?:in|inside)\s+(\S+)$/i.exec(words) ?? []
  return folder !== undefined && folderIn(folder) !== undefined ? { command, folder } : { command: words }
}

function folderAfter(words: string): string | undefined {
  return inFolder.exec(words.trim())?.[1]
}

function run(command: string, folder: string | undefined): Deed | undefined {
  const trimmed = command.trim()
  if (trimmed === '') return undefined
  const cwd = folder === undefined ? undefined : folderIn(meant(folder))
  return { kind: 'run', command: trimmed, ...(cwd !== undefined && { cwd }) }
}

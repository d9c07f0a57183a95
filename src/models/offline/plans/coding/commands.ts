import type { Deed } from './deed.ts'
import { folderIn, meant, QUOTED } from './paths.ts'

const english = /^(?:run|execute)\s+(?:the\s+(?:shell\s+)?command:?\s+)?(.+)$/i
const chinese =
  /^(?:(?:在|到)\s*(\S+?)\s*(?:目录|文件夹)?(?:里|中|下)?\s*)?(?:运行|执行|跑)(?:一下)?(?:这条|这个)?(?:命令)?[：:]?\s*(.+)$/
const inFolder = /^(?:in|inside|within)\s+(.+)$/i

/** What a user says of a command besides the command. */
const asides =
  /\s*(?:[,，]|\band\b|\bthen\b|然后|并)\s*(?:tell|show|explain|say|let|report|give|see|check|告诉|看看|说|给我|报告).*$/iu
/** With these begins no command, but a sentence. */
const notPrograms =
  /^(?:the|a|an|my|this|it|that|all|some|any|into|away|for|through|out|these|those|tests?|nothing|everything|again|them|no|not)$/i

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
  const bare = rest.replace(asides, '').replace(/\s+please$|[。！]+$/i, '')
  const [program = ''] = bare.split(/\s/, 1)
  if (!/^[\w./~-]+$/.test(program) || notPrograms.test(program)) return undefined
  if (/\p{Script=Han}|[?？]\s*$|\s(?:and|then)\s/iu.test(bare)) return undefined
  return run(bare, zh?.[1])
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

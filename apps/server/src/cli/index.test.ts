import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'

import { run } from '../../../../test/support/process.ts'
import { printed } from '../../test/support/home-server.ts'
import { createProgram } from './create-program.ts'
import { command } from './index.ts'

/** Every command below another one, by its words. */
function allCommands(parent: Command, path: readonly string[] = []): (readonly [string, Command])[] {
  return parent.commands.flatMap((each) => {
    const words = [...path, each.name()]
    return [[words.join(' '), each] as const, ...allCommands(each, words)]
  })
}

const names = allCommands(await createProgram())

describe('the help', () => {
  it.each(names)('of %s names each of its options and arguments', async (name, described) => {
    const { result, stdout, stderr } = await printed(() => command([...name.split(' '), '--help']))

    const options = described.createHelp().visibleOptions(described)
    expect([result, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`Usage: dragoman ${name}`)
    expect(described.description()).toMatch(/\.$/)
    for (const { long, description } of options) {
      expect(stdout).toContain(long)
      expect(description).not.toBe('')
    }
    for (const { description } of described.registeredArguments) expect(description).not.toBe('')
  })

  it('lists the commands in groups, in at most 40 lines', async () => {
    const { stdout } = await printed(() => command(['--help']))

    for (const [name] of names.filter(([each]) => !each.includes(' ')))
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    expect(stdout.split('\n').length).toBeLessThan(40)
  })

  it('of "help NAME" has the options of the command', async () => {
    expect((await printed(() => command(['help', 'export']))).stdout).toContain('--format <FORMAT>')
  })
})

describe('a wrong command line', () => {
  it.each([
    [['lsit'], "Unknown command 'lsit'. See dragoman --help."],
    [['serv'], "Unknown command 'serv'. Did you mean serve? See dragoman --help."],
    [['--prot', '1'], "Unknown option '--prot'. Did you mean --port? See dragoman serve --help."],
    [['threads', 'shwo'], "Unknown command 'shwo'. Did you mean show? See dragoman threads --help."],
    [['chat', '--thred', 'x'], "Unknown option '--thred'. Did you mean --thread? See dragoman chat --help."],
    [['threads', '--limit', '0'], 'It must be a whole number from 1 to 200.'],
    [['chat', '--thread', 'x', '--continue'], "'--thread <ID>' cannot be used with option '--continue'"],
    [['\u001b[31mred'], "Unknown command '[31mred'."],
  ])('%j is refused in one line with exit code 2', async (args, words) => {
    const { result, stdout, stderr } = await printed(() => command(args))

    expect([result, stdout]).toEqual([2, ''])
    expect(stderr).toContain(words)
    expect(stderr).toMatch(/^dragoman: .*\n$/)
  })
})

it('prints its version', async () => {
  expect((await printed(() => command(['--version']))).stdout).toMatch(/^dragoman \d+\.\d+\.\d+\n$/)
})

describe('dragoman completion', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])('prints a script for %s', async (shell) => {
    const { result, stdout } = await printed(() => command(['completion', shell]))

    expect(result).toBe(0)
    expect(stdout).toContain('dragoman complete -- ')
  })

  it.each([
    [['th'], ['threads']],
    [
      ['threads', ''],
      ['list', 'show', 'rename', 'archive', 'delete'],
    ],
    [['threads', '--arch'], ['--archived']],
    [['chat', '--c'], ['--continue']],
    [
      ['export', 'x', '--format', ''],
      ['json', 'markdown'],
    ],
    [['questions', 'answer', 'x', 'y'], ['yes']],
    [
      ['open', 'in'],
      ['inbox', 'inspect'],
    ],
    [['--por'], ['--port']],
    [['backup', ''], []],
    [['chat', '--thread', ''], []],
  ])('completes %j', async (words, values) => {
    const { stdout } = await printed(() => command(['complete', '--', ...words]))

    expect(stdout.split('\n').flatMap((line) => line.split('\t')[0] || [])).toEqual(values)
  })

  it('works in bash', async () => {
    const script = 'bin=$1; dragoman() { "$0" "$bin" "$@"; }; source <(dragoman completion bash)'
    const words = 'COMP_WORDS=(dragoman threads sh); COMP_CWORD=2; _dragoman; echo "${COMPREPLY[@]}"'
    const inBash = `bash -c '${script}; ${words}' "$0" "$1"; exit $?`

    const { stdout } = await run([], { PATH: process.env['PATH'] ?? '' }, inBash).ended

    expect(stdout).toBe('show\n')
  })
})

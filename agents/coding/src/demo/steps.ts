import type { DemoCall, DemoOutcome } from 'dragoman/agents'
import { canonicalJson } from 'dragoman/events'
import type { Deed } from './deed.ts'

/** Files that say what a project is, the best first. */
const TELLING = [
  'README.md',
  'README',
  'readme.md',
  'README.zh-CN.md',
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
]
/** Of those so many are read. */
const MOST_READ = 2

/** All that is to be called for a deed, as far as what has come back lets it be known. */
export function stepsOf(deed: Deed, outcomes: readonly DemoOutcome[]): DemoCall[] {
  switch (deed.kind) {
    case 'read': {
      const { path, lines } = deed
      return [
        step('read_file', {
          path,
          ...(lines && { offset: lines.first, limit: lines.last - lines.first + 1 }),
        }),
      ]
    }
    case 'explain':
      return [step('read_file', { path: deed.path })]
    case 'list':
      return [step('list_directory', { path: deed.path })]
    case 'project': {
      const list = step('list_directory', { path: '.' })
      const listed = outcomeOf(list, outcomes)
      return [list, ...(listed?.ok ? telling(listed.text).map((path) => step('read_file', { path })) : [])]
    }
    case 'search': {
      const { words, path, include } = deed
      return [
        step('search_files', {
          pattern: literally(words),
          ...(path && { path }),
          ...(include && { include }),
        }),
      ]
    }
    case 'glob':
      return [step('glob_files', { pattern: deed.pattern, ...(deed.path && { path: deed.path }) })]
    case 'replace':
      return [step('edit_file', { path: deed.path, old_string: deed.from, new_string: deed.to })]
    case 'create':
      return [step('write_file', { path: deed.path, content: deed.content })]
    case 'compare':
      return [step('diff', { file_a: deed.a, file_b: deed.b })]
    case 'run':
      return [step('execute_command', { command: deed.command, ...(deed.cwd && { cwd: deed.cwd }) })]
  }
}

/** What came of a step, if it was taken. */
export function outcomeOf(
  { tool, input }: DemoCall,
  outcomes: readonly DemoOutcome[],
): DemoOutcome | undefined {
  const same = canonicalJson(input)
  return outcomes.findLast((outcome) => outcome.tool === tool && canonicalJson(outcome.input) === same)
}

function step(tool: string, input: DemoCall['input']): DemoCall {
  return { tool, input }
}

function telling(listed: string): string[] {
  const names = new Set(listed.split(/\s+/))
  return TELLING.filter((name) => names.has(name)).slice(0, MOST_READ)
}

/** Patterns are regular expressions; what the user says are words. */
function literally(words: string): string {
  return words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

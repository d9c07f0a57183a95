import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { findProgram } from './find-program.ts'

type Environment = Readonly<Record<string, string>>

const GIT_TIMEOUT_MS = 2000
/**
 * Settings of a user that say who that is, and how git works. All others stay out of the sandbox: an address, a header,
 * an alias or a helper may hold a token.
 */
const SHOWN_SETTINGS =
  'user.name user.email init.defaultbranch core.autocrlf core.eol core.quotepath safe.directory pull.rebase pull.ff ' +
  'push.default merge.conflictstyle merge.ff diff.algorithm rebase.autosquash fetch.prune'

/** The user's settings of git without secrets, as a file of settings has them; empty where there is no git. */
export async function readGitSettings(env: Environment, roots: readonly string[]): Promise<string> {
  const git = await findProgram(env['PATH'] ?? '', 'git', roots)
  if (git === undefined) return ''
  const names = `^(${SHOWN_SETTINGS.replaceAll('.', '\\.').replaceAll(' ', '|')})$`
  const args = ['config', '--global', '--includes', '--null', '--get-regexp', names]
  try {
    const { stdout } = await promisify(execFile)(git, args, { timeout: GIT_TIMEOUT_MS, env, cwd: '/' })
    return stdout.split('\0').flatMap(toLines).join('')
  } catch {
    // It has none of these settings, or cannot read them.
    return ''
  }
}

/** A setting without a value is on. An address may hold a login. */
function toLines(setting: string): readonly string[] {
  const [, section, name, value = 'true'] = /^(\w+)\.(\w+)(?:\n(.*))?$/s.exec(setting) ?? []
  if (section === undefined || name === undefined || /\p{Cc}|:\/\//u.test(value)) return []
  return [`[${section}]\n\t${name} = "${value.replace(/["\\]/g, '\\$&')}"\n`]
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { oldestNode } from '../../version.ts'
import { notable, reasonOf, well, wrong, type Finding } from './finding.ts'

const COMMAND_MS = 5000

export async function node(): Promise<Finding[]> {
  const { node: version } = process.versions
  const isOld = version.localeCompare(oldestNode, undefined, { numeric: true }) < 0
  return [
    isOld ? wrong(`Node ${version} is too old: it must be ${oldestNode} or newer.`) : well(`Node ${version}`),
  ]
}

/** What this machine has for running commands shut off from the rest of it. */
export async function sandbox(): Promise<Finding[]> {
  if (process.platform === 'darwin') {
    return [await tried('sandbox-exec', ['-p', '(version 1)(allow default)', 'true'], 'It comes with macOS.')]
  }
  if (process.platform !== 'linux') {
    return [notable(`Sandbox: none is known for ${process.platform}.`)]
  }
  return Promise.all([
    tried('bwrap', ['--ro-bind', '/', '/', 'true'], 'Install bubblewrap.'),
    tried('unshare', ['--user', 'true'], 'Install util-linux.', 'user namespaces'),
    tried('socat', ['-V'], 'Install socat.'),
    tried('rg', ['--version'], 'Install ripgrep.'),
  ])
}

async function tried(command: string, args: string[], advice: string, what = command): Promise<Finding> {
  try {
    await promisify(execFile)(command, args, { timeout: COMMAND_MS })
    return well(`Sandbox: ${what} can be used.`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return notable(`Sandbox: ${command} is not installed. ${advice}`)
    }
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    return notable(`Sandbox: ${what} cannot be used here: ${said.split('\n')[0] || reasonOf(error)}.`)
  }
}

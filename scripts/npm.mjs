import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'

/**
 * Runs npm in the folder with the repository's Node, because npm checks `engines` against the Node that runs it.
 * Returns nothing on success, otherwise npm's complaint. Runs no install scripts. All output goes to stderr: stdout
 * belongs to the server.
 */
export async function npm({ node, folder, started }, ...command) {
  const always = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder]
  const child = spawn(node, [npmFile(), ...command, ...always], { cwd: folder, stdio: ['ignore', 2, 'pipe'] })
  if (child.pid) started(child.pid)

  let interruption = ''
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => {
      interruption = signal
      child.kill(signal)
    })
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
    process.stderr.write(chunk)
  })
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (interruption) throw new Error(`Interrupted by ${interruption}; the next call makes it whole.`)
  return code === 0 ? undefined : complaints
}

/** The path of npm: the one that started this process, or the one in PATH. */
function npmFile() {
  const caller = process.env.npm_execpath
  if (caller && basename(caller) === 'npm-cli.js') return caller
  if (caller)
    throw new Error(`This is set up with npm, not with ${basename(caller)}: say npm start or npm test.`)

  const folders = [dirname(process.execPath), ...(process.env.PATH || '').split(delimiter)]
  const found = folders
    .flatMap((folder) => [join(folder, 'npm'), join(folder, 'node_modules/npm/bin/npm-cli.js')])
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .find((path) => basename(path) === 'npm-cli.js')
  if (!found) throw new Error('npm is not in PATH. Install it beside Node and try again.')
  return found
}

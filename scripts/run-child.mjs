import { spawn } from 'node:child_process'

/**
 * Runs a script with the given Node in a folder. Returns nothing on success, otherwise its complaint. All output goes
 * to stderr: stdout belongs to the server. `started` gets the pid.
 * @throws Error if a signal interrupts it
 */
export async function runChild({ node, folder, started }, ...args) {
  const child = spawn(node, args, { cwd: folder, stdio: ['ignore', 2, 'pipe'] })
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

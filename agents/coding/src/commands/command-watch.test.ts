import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { describe, expect, it, onTestFinished } from 'vitest'

import { readMemory } from './command-memory.ts'
import { createCommandWatch } from './command-watch.ts'

const MEGABYTE = 2 ** 20
const disk = { isUsedUp: async () => false, [Symbol.asyncDispose]: async () => undefined }

/** A program that makes pairs of sockets and fills them, so many that it holds so much. */
async function socketProgram(pairs: number, megabytes: number): Promise<number> {
  const script = `use Socket; use IO::Handle; $SIG{ALRM} = sub { die }; my @all; my $held = 0;
    for (1..${pairs}) {
      socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, 0) or last; push @all, $one, $other;
      setsockopt($one, SOL_SOCKET, SO_SNDBUF, 1 << 20); $one->blocking(0);
      while ($held < ${megabytes} << 20) { my $count = syswrite($one, "x" x 65536) or last; $held += $count }
    }
    $| = 1; print "ready\\n"; sleep 60`
  const child = spawn('perl', ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  return child.pid ?? 0
}

describe.skipIf(process.platform !== 'linux')('a watched command', () => {
  it('is ended for what its sockets hold, which no process of it has', async () => {
    const watch = createCommandWatch(150 * MEGABYTE)
    const pid = await socketProgram(400, 2000)

    const reason = await watch.untilTooMuch({ pid, disk }, AbortSignal.timeout(20_000))

    expect(reason).toBe('It used more than 150 MB of memory with its processes and temporary files.')
  })

  it('is not ended for sockets that hold nothing', async () => {
    const watch = createCommandWatch(2 ** 30)
    const pid = await socketProgram(400, 0)

    const reason = await watch.untilTooMuch({ pid, disk }, AbortSignal.timeout(1500))

    expect(reason).toBeUndefined()
    expect(await readMemory(pid, 2 ** 30)).toMatchObject({ processes: 1 })
  })

  it('is asked what the kernel may keep for it: most for many descriptors', async () => {
    const [few, many] = [await socketProgram(1, 0), await socketProgram(400, 0)]
    const read = async (pid: number) => (await readMemory(pid, 2 ** 30)).kernelBytes

    await expect.poll(async () => (await read(many)) / (await read(few))).toBeGreaterThan(20)
  })
})
